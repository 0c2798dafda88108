#include "codec/http1.hpp"

#include <algorithm>
#include <utility>

#include <llhttp.h>

#include "codec/http1_chunk_size.hpp"
#include "codec/http1_lines.hpp"
#include "codec/http1_refusals.hpp"
#include "codec/http1_rules.hpp"

namespace turnout::codec::http1 {

namespace {

/// What made llhttp stop.
enum class stop {
    none,
    head,
    body,
    complete,
};

enum class phase {
    between, ///< not a byte of the message has been seen
    head,
    body, ///< after the head: body, chunk framing, trailers
    failed,
};

} // namespace

struct parser::impl {
    impl(message_kind k, limits l) : kind(k), bounds(l) {
        llhttp_init(&engine, k == message_kind::request ? HTTP_REQUEST : HTTP_RESPONSE, &settings());
        engine.data = this;
    }

    event next(std::string_view& input);
    event finish();

    void begin_message();
    void begin_head();
    event fail(refusal why);
    const http1::head* unfinished();
    /// Runs llhttp over a prefix of `input`; what it said is in `stopped`, `body` and `refused`.
    void advance(std::string_view& input);
    /// Passes a chunk's extension, or a part of one, which llhttp does not see.
    void skip_extension(std::string_view& input);
    /// Counts and checks bytes that are not payload.
    refusal check_framing(std::string_view bytes);

    static llhttp_settings_t& settings();
    static impl& of(llhttp_t* engine) { return *static_cast<impl*>(engine->data); }
    int on_target(std::string_view text);
    int on_name(std::string_view text);
    int on_name_end();
    int on_value(std::string_view text);
    int on_head();
    int on_payload(std::string_view bytes);
    /// Counts a part of the piece to what lies at `begin` of the head's bytes. What earlier pieces had of it lies right
    /// before.
    void extend(std::size_t& begin, std::size_t& size, std::string_view text);
    /// Keeps what the head needs of the piece: one copy, where one per name and value would cost more than parsing.
    void keep_piece();
    int refuse(refusal why) {
        refused = why;
        return -1;
    }
    int pause(stop why) {
        stopped = why;
        return HPE_PAUSED;
    }

    llhttp_t engine{};
    message_kind kind;
    limits bounds;
    http1::head head;
    message_facts facts;
    refusal refused;
    line_watch lines;
    chunk_size_watch sizes;
    start_line_watch start_line;

    phase now = phase::between;
    stop stopped = stop::none;
    bool paused = false;        ///< llhttp has more to say without further input
    bool in_name = false;       ///< inside a header's name
    bool informational = false; ///< the head just read is a 1xx
    bool head_begun = false;    ///< and its message is not over
    bool head_ended = false;    ///< with its blank line
    bool bodiless_answer = false;
    bool upgrade_asked = false;
    std::size_t framing_bytes = 0; ///< of this head and the 1xx before it, or since the last payload byte
    std::size_t trailers = 0;
    std::string_view body;
    std::string_view piece;     ///< what llhttp runs over
    std::size_t piece_used = 0; ///< the end of its last part that the head needs
};

llhttp_settings_t& parser::impl::settings() {
    static llhttp_settings_t callbacks = [] {
        llhttp_settings_t s;
        llhttp_settings_init(&s);
        s.on_url = [](llhttp_t* e, const char* at, std::size_t size) { return of(e).on_target({at, size}); };
        s.on_header_field = [](llhttp_t* e, const char* at, std::size_t size) { return of(e).on_name({at, size}); };
        s.on_header_field_complete = [](llhttp_t* e) { return of(e).on_name_end(); };
        s.on_header_value = [](llhttp_t* e, const char* at, std::size_t size) { return of(e).on_value({at, size}); };
        s.on_headers_complete = [](llhttp_t* e) { return of(e).on_head(); };
        s.on_body = [](llhttp_t* e, const char* at, std::size_t size) { return of(e).on_payload({at, size}); };
        s.on_message_complete = [](llhttp_t* e) { return of(e).pause(stop::complete); };
        return s;
    }();
    return callbacks;
}

void parser::impl::extend(std::size_t& begin, std::size_t& size, std::string_view text) {
    const auto offset = static_cast<std::size_t>(text.data() - piece.data());
    if (size == 0) {
        begin = head.bytes_.size() + offset;
    }
    size += text.size();
    piece_used = offset + text.size();
}

int parser::impl::on_target(std::string_view text) {
    extend(head.target_begin_, head.target_size_, text);
    return 0;
}

int parser::impl::on_name(std::string_view text) {
    const bool trailer = now == phase::body;
    if (text.empty()) {
        return 0;
    }
    if (!in_name) {
        in_name = true;
        if ((trailer ? trailers : head.fields_.size()) == bounds.headers) {
            return refuse({problem_kind::too_many_headers, "There are too many headers."});
        }
        if (trailer) {
            ++trailers;
        } else {
            head.fields_.emplace_back();
        }
    }
    if (!trailer) {
        auto& field = head.fields_.back();
        extend(field.name_begin, field.name_size, text);
    }
    return 0;
}

int parser::impl::on_name_end() {
    if (!std::exchange(in_name, false)) {
        return refuse({problem_kind::malformed, "A header has no name."});
    }
    return 0;
}

int parser::impl::on_value(std::string_view text) {
    if (now == phase::head) {
        auto& field = head.fields_.back();
        extend(field.value_begin, field.value_size, text);
    }
    return 0;
}

int parser::impl::on_payload(std::string_view bytes) {
    body = bytes;
    if (facts.chunked && engine.content_length == 0) sizes.end_payload();
    return bytes.empty() ? 0 : pause(stop::body);
}

void parser::impl::keep_piece() { head.bytes_.append(piece.substr(0, piece_used)); }

int parser::impl::on_head() {
    if (engine.http_major != 1 || engine.http_minor > 1) {
        return refuse(refusal_for(HPE_INVALID_VERSION));
    }
    head.minor_version_ = engine.http_minor;
    if (kind == message_kind::request) {
        head.method_ = llhttp_method_name(static_cast<llhttp_method_t>(engine.method));
    } else {
        head.status_ = engine.status_code;
    }
    keep_piece();
    head.seal();
    head_ended = true;
    facts = examine(head, kind, bodiless_answer, upgrade_asked);
    if (facts.refused.kind != problem_kind::none) {
        return refuse(facts.refused);
    }
    // Set here instead of returned, since the return value has to be the pause.
    engine.upgrade = 0;
    if (facts.no_body) {
        engine.flags = static_cast<std::uint16_t>(engine.flags | F_SKIPBODY);
    }
    informational = kind == message_kind::response && head.status_ < 200 && head.status_ != 101;
    return informational ? 0 : pause(stop::head);
}

event parser::impl::next(std::string_view& input) {
    if (now == phase::between) {
        if (kind == message_kind::request) {
            // RFC 9112, 2.2: a client may send a blank line after a body.
            const std::string_view blank = input.substr(0, input.find_first_not_of("\r\n"));
            input.remove_prefix(blank.size());
            if (!lines.accept(blank)) {
                return fail(refusal_for(HPE_INVALID_METHOD));
            }
        }
        if (input.empty()) {
            return {};
        }
        if (kind == message_kind::response && input.front() != 'H') {
            return fail(refusal_for(HPE_INVALID_CONSTANT)); // llhttp would skip blank lines here too
        }
        begin_message();
    }
    while (now != phase::failed && (paused || !input.empty())) {
        advance(input);
        if (refused.kind != problem_kind::none) {
            return fail(refused);
        }
        switch (stopped) {
        case stop::none: break;
        case stop::head:
            now = phase::body;
            framing_bytes = 0;
            if (facts.chunked) sizes.begin_body();
            return {.type = event_type::head};
        case stop::body: framing_bytes = 0; return {.type = event_type::body, .body = body};
        case stop::complete:
            paused = false;
            if (informational) {
                begin_head();
                break;
            }
            now = phase::between;
            bodiless_answer = false;
            lines.reset();
            head_begun = false;
            return {.type = event_type::complete};
        }
    }
    return {.type = now == phase::failed ? event_type::error : event_type::need_more};
}

event parser::impl::finish() {
    std::string_view none;
    if (paused || now == phase::failed) {
        if (const event last = next(none); last.type != event_type::need_more) {
            return last;
        }
    }
    if (now == phase::between) {
        return {};
    }
    if (now == phase::body && facts.until_close) {
        now = phase::between;
        bodiless_answer = false;
        lines.reset();
        return {.type = event_type::complete};
    }
    return fail({problem_kind::truncated, "The connection was closed inside a message."});
}

void parser::impl::begin_message() {
    facts = {};
    framing_bytes = 0;
    sizes.reset();
    trailers = 0;
    now = phase::head;
    begin_head();
}

void parser::impl::begin_head() {
    llhttp_reset(&engine);
    head.clear();
    start_line.reset();
    in_name = false;
    informational = false;
    head_begun = true;
    head_ended = false;
}

event parser::impl::fail(refusal why) {
    refused = why;
    facts.keep_alive = false;
    now = phase::failed;
    return {.type = event_type::error};
}

const http1::head* parser::impl::unfinished() {
    const bool line_is_whole = start_line.done() || !head.fields_.empty();
    if (!head_begun || !line_is_whole || head.target_size_ == 0) return nullptr;
    const bool last_is_whole = head_ended || lines.at_line_end() || refused.kind == problem_kind::too_many_headers;
    if (!last_is_whole && !head.fields_.empty()) head.fields_.pop_back();
    head_ended = true;
    head.seal();
    now = phase::failed;
    return &head;
}

void parser::impl::advance(std::string_view& input) {
    // In a head llhttp never sees more than the limit allows, which makes the limit exact for every split.
    const std::size_t room = now == phase::head ? bounds.head_bytes - framing_bytes : sizes.pass(input);
    if (room == 0 && sizes.in_extension()) {
        skip_extension(input);
        return;
    }
    piece = input.substr(0, room);
    piece_used = 0;
    // llhttp takes a null pointer for "no span is open" and would lose one.
    const char* begin = piece.data() == nullptr ? "" : piece.data();
    if (std::exchange(paused, false)) {
        llhttp_resume(&engine);
    }
    stopped = stop::none;
    body = {};
    const llhttp_errno_t code = llhttp_execute(&engine, begin, piece.size());
    const std::size_t used =
        code == HPE_OK ? piece.size() : static_cast<std::size_t>(llhttp_get_error_pos(&engine) - begin);
    paused = code == HPE_PAUSED;
    if (now == phase::head && stopped == stop::none && !head_ended) {
        keep_piece();
    }
    input.remove_prefix(used);
    // What our own checks find lies before the byte that llhttp refused, so it is what a slower sender would be told.
    const refusal earlier = check_framing(piece.substr(0, used - body.size()));
    if (earlier.kind != problem_kind::none) {
        refused = earlier;
    } else if (refused.kind == problem_kind::none && code != HPE_OK && code != HPE_PAUSED) {
        refused = refusal_for(code);
    }
}

void parser::impl::skip_extension(std::string_view& input) {
    stopped = stop::none;
    const std::string_view passed = input.substr(0, sizes.extension().take(input));
    input.remove_prefix(passed.size());
    refused = check_framing(passed);
    if (refused.kind != problem_kind::none) return;
    if (sizes.extension().broken() || (!input.empty() && !sizes.extension().whole()))
        refused = {problem_kind::framing, "The extension of a chunk's size is not valid."};
    if (!input.empty()) sizes.reset();
}

refusal parser::impl::check_framing(std::string_view bytes) {
    framing_bytes += bytes.size();
    if (!lines.accept(bytes)) {
        return {problem_kind::malformed, "A line does not end with CRLF, or a header is folded."};
    }
    if (framing_bytes > bounds.head_bytes
        || (now == phase::head && stopped == stop::none && framing_bytes == bounds.head_bytes)) {
        return {problem_kind::head_too_large, "The start line and the headers, or the trailers, are too large."};
    }
    return now == phase::head ? start_line.accept(bytes, kind) : refusal{};
}

parser::parser(message_kind kind, limits l) : impl_(std::make_unique<impl>(kind, l)) {}
parser::~parser() = default;
parser::parser(parser&&) noexcept = default;
parser& parser::operator=(parser&&) noexcept = default;

event parser::next(std::string_view& input) { return impl_->next(input); }
event parser::finish() { return impl_->finish(); }
const head& parser::current() const { return impl_->head; }
const head* parser::unfinished() { return impl_->unfinished(); }
problem_kind parser::problem() const { return impl_->refused.kind; }
std::string_view parser::problem_text() const { return impl_->refused.text; }
void parser::expect_no_body() { impl_->bodiless_answer = true; }
void parser::expect_upgrade() { impl_->upgrade_asked = true; }
bool parser::keep_alive() const { return impl_->facts.keep_alive; }
bool parser::expects_continue() const { return impl_->facts.expects_continue; }
std::optional<std::uint64_t> parser::content_length() const { return impl_->facts.content_length; }
bool parser::chunked() const { return impl_->facts.chunked; }
bool parser::idle() const { return impl_->now == phase::between; }

} // namespace turnout::codec::http1
