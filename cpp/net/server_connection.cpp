#include "net/server_connection.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

namespace turnout::net {
namespace {

using codec::http1::event_type;
using connection_ptr = boost::intrusive_ptr<server_connection>;

constexpr base::duration head_deadline = std::chrono::seconds(30);
constexpr base::duration drain_head_deadline = std::chrono::seconds(1);
constexpr base::duration idle_deadline = std::chrono::seconds(75);
constexpr base::duration linger_deadline = std::chrono::seconds(2);
// Pipelined bytes are kept for their turn up to here; then the client waits.
constexpr std::size_t early_bytes = std::size_t{64} * 1024;
constexpr std::size_t linger_bytes = std::size_t{1} << 20U;
// A refused body of at most this size is read and dropped, so that the connection can go on.
constexpr std::uint64_t discard_bytes = std::uint64_t{256} * 1024;
// A promise of a long body is no reason to take its memory before it comes.
constexpr std::uint64_t reserved_at_once = std::uint64_t{1} << 20U;
constexpr std::size_t kept_body_capacity = std::size_t{64} * 1024;

} // namespace

server_connection::server_connection(server_context& context, tcp_socket&& socket)
    : context_(context),
      stream_(std::move(socket)),
      parser_(codec::http1::message_kind::request),
      deadline_(
          [](void* c) {
              auto* self = static_cast<server_connection*>(c);
              self->close();
          },
          this),
      write_stall_(
          [](void* c) {
              const connection_ptr self(static_cast<server_connection*>(c));
              auto* observer = std::exchange(self->observer_, nullptr);
              self->close();
              if (observer != nullptr) observer->on_client_stalled();
          },
          this) {}

server_connection::~server_connection() = default;

void server_connection::start() {
    stream_.prepare();
    context_.on.timers().arm(deadline_, timer_kind::client_head, head_deadline, context_.on.now());
    arm_read();
}

void server_connection::drain() {
    close_after_ = true;
    if (phase_ != phase::head || output_.pending() > 0) return;
    if (parser_.idle() && input_.empty())
        close();
    else // a head that does not come on must not hold the others
        context_.on.timers().arm(deadline_, timer_kind::client_head, drain_head_deadline, context_.on.now());
}

void server_connection::close() {
    if (phase_ == phase::closed) return;
    phase_ = phase::closed;
    deadline_.cancel();
    write_stall_.cancel();
    stream_.close();
    output_.clear();
    unlink();
    if (context_.on_closed) context_.on_closed();
}

void server_connection::break_off() {
    const connection_ptr self(this);
    auto* observer = std::exchange(observer_, nullptr);
    close();
    if (observer != nullptr) observer->on_client_gone();
}

// Reading ---------------------------------------------------------------------------------------------------------

void server_connection::arm_read() {
    if (read_armed_ || phase_ == phase::closed || input_.size() > early_bytes) return;
    read_armed_ = true;
    stream_.socket().async_wait(tcp_socket::wait_read,
                                [self = connection_ptr(this)](const boost::system::error_code& e) {
                                    self->read_armed_ = false;
                                    if (!e && self->phase_ != phase::closed) self->on_readable();
                                });
}

void server_connection::on_readable() {
    const auto buffer = context_.on.scratch();
    const auto outcome = stream_.read(buffer);
    switch (outcome.status) {
    case io_status::wait_read:
    case io_status::wait_write: arm_read(); return;
    case io_status::eof:
    case io_status::error: on_end_of_input(outcome.status); return;
    case io_status::ok: break;
    }
    std::string_view bytes(buffer.data(), outcome.bytes);
    if (phase_ == phase::body || phase_ == phase::discard)
        context_.on.timers().arm(deadline_, timer_kind::client_head, head_deadline, context_.on.now());
    if (phase_ == phase::lingering) {
        lingered_ += bytes.size();
        if (lingered_ > linger_bytes)
            close();
        else
            arm_read();
        return;
    }
    if (phase_ == phase::handling || phase_ == phase::streaming || !input_.empty()) {
        input_.append(bytes);
    } else {
        processing_ = true;
        on_bytes(bytes);
        processing_ = false;
        if (phase_ != phase::closed) input_.append(bytes);
    }
    process();
}

// A client that has only closed its own direction still gets what is on its way to it.
void server_connection::on_end_of_input(io_status status) {
    const bool answer_leaving = output_.pending() > 0 && (phase_ == phase::head || phase_ == phase::lingering);
    if (status == io_status::eof && answer_leaving) {
        close_after_ = true;
        phase_ = phase::lingering;
        return;
    }
    break_off();
}

void server_connection::process() {
    if (processing_) return;
    processing_ = true;
    while (!input_.empty() && may_parse()) {
        // The parser's views point into what it was given, so the bytes stay in place while they are consumed.
        std::string held = std::move(input_);
        input_.clear();
        std::string_view rest = held;
        on_bytes(rest);
        input_.insert(0, rest);
    }
    processing_ = false;
    if (phase_ == phase::lingering) input_.clear();
    if (close_after_ && phase_ == phase::head && parser_.idle() && input_.empty() && output_.pending() == 0) {
        close();
        return;
    }
    arm_read();
}

// A client that sends requests and takes no answers is not read on: only one answer at a time waits for it.
bool server_connection::may_parse() const {
    if (phase_ == phase::head) return !parser_.idle() || output_.pending() == 0;
    return phase_ == phase::body || phase_ == phase::discard;
}

void server_connection::on_bytes(std::string_view& input) {
    const connection_ptr self(this);
    while (may_parse()) {
        if (phase_ == phase::head && input.empty() && parser_.idle()) return;
        if (phase_ == phase::head && parser_.idle())
            context_.on.timers().arm(deadline_, timer_kind::client_head, head_deadline, context_.on.now());
        const auto e = parser_.next(input);
        switch (e.type) {
        case event_type::need_more: return;
        case event_type::head: on_head(); break;
        case event_type::body: on_body(e.body); break;
        case event_type::complete:
            deadline_.cancel();
            if (phase_ == phase::discard) {
                phase_ = phase::head;
                if (output_.pending() == 0) await_request();
                break;
            }
            phase_ = phase::handling;
            context_.handler.on_request(exchange_ptr(this));
            break;
        case event_type::error:
            refuse(context_.handler.malformed(parser_.problem(), parser_.problem_text()), false);
            return;
        }
    }
}

void server_connection::on_head() {
    const auto& head = parser_.current();
    const auto length = parser_.content_length();
    without_body_ = head.method() == "HEAD";
    phase_ = phase::body;
    auto refused = context_.handler.check_head(head, length);
    if (!refused && length && *length > context_.options.request_body_bytes)
        refused = context_.handler.body_too_large(head);
    if (refused) {
        const bool small = !parser_.chunked() && length.value_or(0) <= discard_bytes && !parser_.expects_continue();
        refuse(*refused, small);
        return;
    }
    if (length) body_.reserve(static_cast<std::size_t>(std::min(*length, reserved_at_once)));
    if (parser_.expects_continue()) send({"HTTP/1.1 100 Continue\r\n\r\n"});
}

void server_connection::on_body(std::string_view bytes) {
    if (phase_ == phase::discard) return;
    if (body_.size() + bytes.size() > context_.options.request_body_bytes) {
        refuse(context_.handler.body_too_large(parser_.current()), false);
        return;
    }
    body_.append(bytes);
}

/// Answers at once. A body that is short enough is dropped as it comes, and the connection goes on after it.
void server_connection::refuse(const refusal& r, bool can_continue) {
    discarding_ = can_continue;
    if (!can_continue) close_after_ = true;
    phase_ = phase::handling;
    respond(r.status, r.fields, r.body);
}

// Answering -------------------------------------------------------------------------------------------------------

bool server_connection::keeps_alive() const { return !close_after_ && !context_.draining && parser_.keep_alive(); }

void server_connection::write_head(int status, std::string_view fields, std::optional<std::size_t> length) {
    close_after_ = !keeps_alive();
    head_.clear();
    codec::http1::write_status_line(head_, status);
    head_.append(fields);
    if (length)
        codec::http1::write_header(head_, "content-length", std::uint64_t{*length});
    else if (chunked_)
        codec::http1::write_header(head_, "transfer-encoding", "chunked");
    if (close_after_)
        codec::http1::write_header(head_, "connection", "close");
    else if (parser_.current().minor_version() == 0)
        codec::http1::write_header(head_, "connection", "keep-alive");
    head_.append("\r\n");
}

void server_connection::respond(int status, std::string_view fields, std::string_view body) {
    if (phase_ != phase::handling) return;
    write_head(status, fields, body.size());
    const connection_ptr self(this);
    send({head_, without_body_ ? std::string_view() : body});
    head_.clear();
    answered();
}

void server_connection::start_stream(int status, std::string_view fields) {
    if (phase_ != phase::handling) return;
    phase_ = phase::streaming;
    chunked_ = parser_.current().minor_version() == 1;
    if (!chunked_) close_after_ = true;
    write_head(status, fields, std::nullopt);
}

void server_connection::write(std::string_view payload) {
    if (phase_ != phase::streaming || payload.empty()) return;
    if (without_body_ || !chunked_) {
        send({head_, without_body_ ? std::string_view() : payload});
    } else {
        std::string size;
        codec::http1::write_chunk_size(size, payload.size());
        send({head_, size, payload, "\r\n"});
    }
    head_.clear();
}

void server_connection::end() {
    if (phase_ != phase::streaming) return;
    const connection_ptr self(this);
    send({head_, chunked_ && !without_body_ ? codec::http1::last_chunk : std::string_view()});
    head_.clear();
    answered();
}

void server_connection::abort() {
    if (phase_ != phase::handling && phase_ != phase::streaming) return;
    observer_ = nullptr;
    stream_.reset();
    close();
}

void server_connection::answered() {
    observer_ = nullptr;
    if (phase_ == phase::closed || broken_) return;
    body_.clear();
    if (body_.capacity() > kept_body_capacity) body_.shrink_to_fit();
    chunked_ = false;
    without_body_ = false;
    deadline_.cancel();
    if (close_after_) {
        phase_ = phase::lingering;
        input_.clear();
        if (output_.pending() == 0) begin_linger();
        return;
    }
    if (std::exchange(discarding_, false)) { // its caller is reading, and goes on with the rest of the body
        phase_ = phase::discard;
        context_.on.timers().arm(deadline_, timer_kind::client_head, head_deadline, context_.on.now());
        return;
    }
    phase_ = phase::head;
    if (output_.pending() == 0) await_request();
    if (processing_) return;
    if (input_.empty()) {
        process();
        return;
    }
    // The one who answered is still at work with this exchange: the next request begins on a turn of its own.
    boost::asio::post(stream_.socket().get_executor(), [self = connection_ptr(this)] { self->process(); });
}

void server_connection::await_request() {
    context_.on.timers().arm(deadline_, timer_kind::client_idle, idle_deadline, context_.on.now());
}

// Closing at once while the client still sends would reset the connection and could destroy the answer on its way.
void server_connection::begin_linger() {
    stream_.shut_down_writes();
    context_.on.timers().arm(deadline_, timer_kind::linger, linger_deadline, context_.on.now());
    arm_read();
}

// Writing ---------------------------------------------------------------------------------------------------------

void server_connection::send(std::initializer_list<std::string_view> pieces) {
    if (phase_ == phase::closed || broken_) return;
    const bool was_pending = output_.pending() > 0;
    if (!output_.write(stream_, pieces)) {
        // The writer is in the middle of something: it hears of it on the next turn of the loop.
        broken_ = true;
        boost::asio::post(stream_.socket().get_executor(), [self = connection_ptr(this)] { self->break_off(); });
        return;
    }
    if (output_.pending() > 0 && !was_pending) {
        context_.on.timers().arm(write_stall_, timer_kind::client_write, context_.options.client_write_stall,
                                 context_.on.now());
        arm_write();
    }
}

void server_connection::arm_write() {
    if (write_armed_ || phase_ == phase::closed) return;
    write_armed_ = true;
    const auto readiness = output_.waits_for() == io_status::wait_read ? tcp_socket::wait_read : tcp_socket::wait_write;
    stream_.socket().async_wait(readiness, [self = connection_ptr(this)](const boost::system::error_code& e) {
        self->write_armed_ = false;
        if (!e && self->phase_ != phase::closed) self->on_writable();
    });
}

void server_connection::on_writable() {
    const auto before = output_.pending();
    if (!output_.flush(stream_)) {
        break_off();
        return;
    }
    if (output_.pending() > 0) {
        if (output_.pending() < before)
            context_.on.timers().arm(write_stall_, timer_kind::client_write, context_.options.client_write_stall,
                                     context_.on.now());
        arm_write();
        return;
    }
    write_stall_.cancel();
    after_write();
}

void server_connection::after_write() {
    const connection_ptr self(this);
    if (phase_ == phase::lingering) {
        begin_linger();
        return;
    }
    if (phase_ == phase::head && parser_.idle()) await_request();
    if (observer_ != nullptr) observer_->on_drained();
    process();
}

} // namespace turnout::net
