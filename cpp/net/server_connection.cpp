#include "net/server_connection.hpp"

#include <algorithm>
#include <utility>

#include "net/server_bounds.hpp"

namespace turnout::net {
namespace {

using codec::http1::event_type;
using connection_ptr = boost::intrusive_ptr<server_connection>;

} // namespace

server_connection::server_connection(server_context& context, tcp_socket&& socket, bool surplus)
    : context_(context),
      stream_(std::move(socket)),
      parser_(codec::http1::message_kind::request),
      surplus_(surplus),
      deadline_([](void* c) { static_cast<server_connection*>(c)->on_deadline(); }, this),
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
    if (surplus_) ++context_.surplus;
    close_after_ = surplus_;
    context_.on.timers().arm(deadline_, timer_kind::client_head,
                             surplus_ ? bounds::surplus_head_deadline : bounds::head_deadline, context_.on.now());
    if (context_.options.tls)
        begin_handshake();
    else
        arm_read();
}

void server_connection::drain() {
    close_after_ = true;
    if (phase_ == phase::handshaking) {
        close();
        return;
    }
    if (phase_ == phase::upgraded && observer_ != nullptr) {
        const connection_ptr self(this);
        upgraded_->on_draining();
        return;
    }
    if (phase_ != phase::head || output_.pending() > 0) return;
    if (parser_.idle() && input_.empty())
        close();
    else // a head that does not come on must not hold the others
        context_.on.timers().arm(deadline_, timer_kind::client_head, bounds::drain_head_deadline, context_.on.now());
}

void server_connection::close() {
    if (phase_ == phase::closed) return;
    write_held();
    if (phase_ == phase::head && stream_.secure() && output_.pending() == 0) stream_.shut_down_writes();
    phase_ = phase::closed;
    deadline_.cancel();
    write_stall_.cancel();
    stream_.close();
    output_.clear();
    auto& capacity = *context_.options.capacity;
    capacity.remove_bytes(std::exchange(body_counted_, 0) + std::exchange(input_counted_, 0));
    if (surplus_)
        --context_.surplus;
    else
        capacity.remove_connection();
    server_hook::unlink();
    context_.on_closed();
}

void server_connection::end_now() {
    const connection_ptr self(this);
    close_after_ = true;
    if (observer_ != nullptr) observer_->on_server_ending();
    break_off();
}

void server_connection::break_off() {
    const connection_ptr self(this);
    auto* observer = std::exchange(observer_, nullptr);
    close();
    if (observer != nullptr) observer->on_client_gone();
}

// Reading ---------------------------------------------------------------------------------------------------------

void server_connection::arm_read() {
    if (read_armed_ || phase_ == phase::closed) return;
    if (is_full()) {
        if (phase_ == phase::handling || phase_ == phase::streaming || phase_ == phase::upgraded)
            context_.on.timers().arm(deadline_, timer_kind::client_watch, bounds::watch_interval, context_.on.now());
        return;
    }
    read_armed_ = true;
    stream_.when_readable([self = connection_ptr(this)](bool readable) {
        self->read_armed_ = false;
        if (readable && self->phase_ != phase::closed) self->on_readable();
    });
}

/// Whether the client has to wait before more of it is read.
bool server_connection::is_full() const {
    // Whoever sends and does not read could have answers pile up that it never takes.
    if (phase_ == phase::upgraded) return output_.pending() > bounds::early_bytes;
    return input_.size() > bounds::early_bytes;
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
    if (phase_ == phase::lingering) {
        lingered_ += bytes.size();
        if (lingered_ > bounds::linger_bytes)
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
    while (!input_.empty() && takes_input()) {
        // The parser's views point into what it was given, so the bytes stay in place while they are consumed.
        std::string held = std::move(input_);
        input_.clear();
        std::string_view rest = held;
        on_bytes(rest);
        input_.insert(0, rest);
    }
    processing_ = false;
    if (phase_ == phase::lingering) input_.clear();
    count_input();
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
    if (phase_ == phase::upgraded) {
        const auto bytes = std::exchange(input, {});
        if (observer_ != nullptr) upgraded_->on_bytes(bytes);
        return;
    }
    while (may_parse()) {
        if (phase_ == phase::head && input.empty() && parser_.idle()) return;
        const auto e = parser_.next(input);
        switch (e.type) {
        case event_type::need_more: await_rest(); return;
        case event_type::head: on_head(); break;
        case event_type::body: on_body(e.body); break;
        case event_type::complete:
            deadline_.cancel();
            head_begun_ = false;
            if (phase_ == phase::discard) {
                phase_ = phase::head;
                if (output_.pending() == 0) await_request();
                break;
            }
            phase_ = phase::handling;
            context_.handler.on_request(exchange_ptr(this));
            break;
        case event_type::error:
            refuse(context_.handler.malformed(parser_.problem(), parser_.problem_text(), known_head()), false);
            return;
        }
    }
}

void server_connection::on_head() {
    const auto& head = parser_.current();
    const auto length = parser_.content_length();
    without_body_ = head.method() == "HEAD";
    phase_ = phase::body;
    auto& capacity = *context_.options.capacity;
    std::optional<refusal> refused;
    if (surplus_) refused = context_.handler.overloaded(shortage::connections, head);
    if (!refused) refused = context_.handler.check_head(head, length);
    if (!refused && length && *length > context_.options.request_body_bytes)
        refused = context_.handler.body_too_large(head);
    if (!refused && length && !capacity.fits(*length)) refused = context_.handler.overloaded(shortage::memory, head);
    if (refused) {
        const bool small =
            !parser_.chunked() && length.value_or(0) <= bounds::discard_bytes && !parser_.expects_continue();
        refuse(*refused, small);
        return;
    }
    if (length) body_.reserve(static_cast<std::size_t>(std::min(*length, bounds::reserved_at_once)));
    if (parser_.expects_continue()) send({"HTTP/1.1 100 Continue\r\n\r\n"});
}

void server_connection::on_body(std::string_view bytes) {
    if (phase_ == phase::discard) return;
    if (body_.size() + bytes.size() > context_.options.request_body_bytes) {
        refuse(context_.handler.body_too_large(parser_.current()), false);
        return;
    }
    if (!context_.options.capacity->add_bytes(bytes.size())) {
        if (auto refused = context_.handler.overloaded(shortage::memory, parser_.current())) {
            refuse(*refused, false);
            return;
        }
        context_.options.capacity->count_bytes(bytes.size());
    }
    body_counted_ += bytes.size();
    body_.append(bytes);
}

void server_connection::free_body() {
    context_.options.capacity->remove_bytes(std::exchange(body_counted_, 0));
    std::string().swap(body_);
}

/// Bytes that wait for their turn are request memory too.
void server_connection::count_input() {
    if (input_counted_ == input_.size() || phase_ == phase::closed) return;
    context_.options.capacity->count_bytes(input_.size());
    context_.options.capacity->remove_bytes(std::exchange(input_counted_, input_.size()));
}

// A head must be whole in time, however it dribbles; a body must go on.
void server_connection::await_rest() {
    if (parser_.idle()) return;
    if (phase_ == phase::head && std::exchange(head_begun_, true)) return;
    context_.on.timers().arm(deadline_, timer_kind::client_head,
                             surplus_ ? bounds::surplus_head_deadline : bounds::head_deadline, context_.on.now());
}

void server_connection::on_deadline() {
    const connection_ptr self(this);
    switch (phase_) {
    case phase::head:
    case phase::body:
        if (parser_.idle() || context_.draining)
            close();
        else
            refuse(context_.handler.too_slow(known_head()), false);
        return;
    case phase::handling:
    case phase::streaming:
    case phase::upgraded:
        if (stream_.hung_up())
            break_off();
        else
            arm_read();
        return;
    case phase::handshaking:
    case phase::discard:
    case phase::lingering:
    case phase::closed: close(); return;
    }
}

const codec::http1::head* server_connection::known_head() {
    return phase_ == phase::body ? &parser_.current() : parser_.unfinished();
}

/// Answers at once. A body that is short enough is dropped as it comes, and the connection goes on after it.
void server_connection::refuse(const refusal& r, bool can_continue) {
    discarding_ = can_continue;
    if (!can_continue) close_after_ = true;
    phase_ = phase::handling;
    respond(r.status, r.fields, r.body);
}

} // namespace turnout::net
