// A connection means the same however its bytes are split; every message that is accepted is framed as the letter of
// RFC 9112 frames it; and what was read of a head can be sent on without meaning anything else.
//
// The first byte chooses: bit 0 requests or answers, bit 1 small limits, bit 2 whether the first answer is one to HEAD;
// the second the size of the pieces. The rest is the connection.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/http1.hpp"
#include "input.hpp"
#include "require.hpp"
#include "strict_http1.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::require;

struct settings {
    http1::message_kind kind = http1::message_kind::request;
    http1::limits bounds;
    bool bodiless = false;
};

http1::parser make_parser(const settings& s) {
    http1::parser parser{s.kind, s.bounds};
    if (s.bodiless) parser.expect_no_body();
    return parser;
}

/// What is relayed of a head means the same to the next reader.
void check_sent_on(const http1::head& seen, http1::message_kind kind) {
    std::string text;
    if (kind == http1::message_kind::request) {
        http1::write_request_line(text, seen.method(), seen.target());
    } else {
        http1::write_status_line(text, seen.status());
    }
    const bool host = seen.find("host").has_value();
    for (const http1::header& h : seen.headers()) {
        require(http1::valid_field_value(h.value), "a value that was read may be sent");
        http1::write_header(text, h.name, h.value);
    }
    if (!host) http1::write_header(text, "host", "h");
    text += "\r\n";
    http1::parser again{kind, {.head_bytes = std::size_t{1} << 20U, .headers = 200}};
    std::string_view input = text;
    const http1::event e = again.next(input);
    require(e.type == http1::event_type::head, "a head that was read can be sent on");
    require(again.current().method() == seen.method() && again.current().target() == seen.target()
                && again.current().status() == seen.status(),
            "the start line sent on is the one that was read");
    const auto& sent = again.current().headers();
    require(sent.size() == seen.headers().size() + (host ? 0 : 1), "as many headers are sent on as were read");
    for (std::size_t i = 0; i < seen.headers().size(); ++i) {
        require(sent[i].name == seen.headers()[i].name && sent[i].value == seen.headers()[i].value,
                "a header sent on is the one that was read");
    }
}

/// One message as the parser saw it.
struct seen_message {
    std::string_view from; ///< the connection from its first byte on
    bool bodiless = false;
    std::string payload;
};

void check_framing(const seen_message& seen, http1::message_kind kind, bool whole, std::string_view after) {
    const auto strict = fuzz::read_strictly(seen.from, kind, seen.bodiless);
    require(strict.has_value(), "a message that is accepted keeps to the grammar");
    require(strict->payload == seen.payload, "a message's payload is what its framing says");
    require(strict->whole == whole || strict->until_close, "a message ends where its framing says");
    require(!whole || strict->until_close || strict->rest.size() == after.size(), "nothing lies between two messages");
}

/// Reads the connection whole and compares each message with its strict reading.
void check_messages(const settings& s, std::string_view bytes) {
    http1::parser parser = make_parser(s);
    std::string_view input = bytes;
    seen_message seen{bytes, s.bodiless, {}};
    bool has_head = false;
    const auto begin_next = [&] {
        if (s.kind == http1::message_kind::request) {
            while (input.starts_with("\r\n")) input.remove_prefix(2);
        }
        seen.from = input;
        seen.payload.clear();
        has_head = false;
    };
    begin_next();
    for (;;) {
        const http1::event e = parser.next(input);
        switch (e.type) {
        case http1::event_type::head:
            has_head = true;
            check_sent_on(parser.current(), s.kind);
            break;
        case http1::event_type::body: seen.payload += e.body; break;
        case http1::event_type::complete:
            check_framing(seen, s.kind, true, input);
            seen.bodiless = false;
            begin_next();
            break;
        case http1::event_type::need_more:
            if (has_head) check_framing(seen, s.kind, false, input);
            return;
        case http1::event_type::error: return;
        }
    }
}

/// Everything that a parser says about a connection, but for which of several faults it was refused.
std::string told(const settings& s, std::string_view bytes, std::size_t piece_size) {
    http1::parser parser = make_parser(s);
    std::string text;
    bool in_body = false;
    const auto tell = [&](const http1::event& e) {
        const bool body = e.type == http1::event_type::body;
        if (!body || !std::exchange(in_body, body)) text += static_cast<char>('0' + static_cast<int>(e.type));
        in_body = body;
        text += e.body;
        if (e.type != http1::event_type::head) return;
        text.append(parser.current().method()).append(" ").append(parser.current().target());
        text += std::to_string(parser.current().status());
        for (const http1::header& h : parser.current().headers()) {
            text.append(h.name).append("=").append(h.value).append(";");
        }
        text += parser.keep_alive() ? "k" : "";
        text += parser.expects_continue() ? "c" : "";
        text += parser.chunked() ? "t" : "";
        text += parser.content_length() ? std::to_string(*parser.content_length()) : "";
    };
    bool failed = false;
    fuzz::feed_in_pieces(bytes, piece_size, [&](std::string_view piece) {
        for (;;) {
            const http1::event e = parser.next(piece);
            if (e.type == http1::event_type::need_more) return true;
            tell(e);
            failed = e.type == http1::event_type::error;
            if (failed) return false;
        }
    });
    if (failed) return text;
    if (const http1::event e = parser.finish(); e.type != http1::event_type::need_more) tell(e);
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const std::uint8_t choice = given.byte();
    const std::size_t piece = std::size_t{1} + given.byte();
    settings s;
    if ((choice & 1U) != 0) s.kind = http1::message_kind::response;
    if ((choice & 2U) != 0) s.bounds = {.head_bytes = 128, .headers = 4};
    s.bodiless = s.kind == http1::message_kind::response && (choice & 4U) != 0;
    const std::string_view bytes = given.rest();

    const std::string whole = told(s, bytes, bytes.size());
    require(whole == told(s, bytes, piece), "a connection means the same in pieces");
    require(whole == told(s, bytes, 1), "a connection means the same byte by byte");
    check_messages(s, bytes);
    return 0;
}
