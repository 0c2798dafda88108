#include <utility>

#include <boost/asio/post.hpp>

#include "net/server_bounds.hpp"
#include "net/server_connection.hpp"

namespace turnout::net {
namespace {

using connection_ptr = boost::intrusive_ptr<server_connection>;

std::size_t bytes_of(std::initializer_list<std::string_view> pieces) {
    std::size_t bytes = 0;
    for (auto p : pieces) bytes += p.size();
    return bytes;
}

} // namespace

// Answering -------------------------------------------------------------------------------------------------------

bool server_connection::keeps_alive() const { return !close_after_ && !context_.draining && parser_.keep_alive(); }

void server_connection::write_head(int status, std::string_view fields, std::optional<std::size_t> length) {
    close_after_ = !keeps_alive();
    head_.clear();
    codec::http1::write_status_line(head_, status);
    head_.append(context_.date.at(context_.on.time().wall()));
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

void server_connection::upgrade(std::string_view fields, upgraded_observer& observer) {
    if (phase_ != phase::handling) return;
    phase_ = phase::upgraded;
    observer_ = upgraded_ = &observer;
    head_.clear();
    codec::http1::write_status_line(head_, 101);
    head_.append(context_.date.at(context_.on.time().wall())).append(fields).append("\r\n");
    send({head_});
    head_.clear();
}

void server_connection::write(std::string_view payload) {
    if (payload.empty()) return;
    if (phase_ == phase::upgraded) {
        send({payload});
        return;
    }
    if (phase_ != phase::streaming) return;
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
    const connection_ptr self(this);
    if (phase_ == phase::upgraded) {
        close_after_ = true;
        answered();
        return;
    }
    if (phase_ != phase::streaming) return;
    send({head_, chunked_ && !without_body_ ? codec::http1::last_chunk : std::string_view()});
    head_.clear();
    answered();
}

void server_connection::abort() {
    if (phase_ != phase::handling && phase_ != phase::streaming && phase_ != phase::upgraded) return;
    observer_ = nullptr;
    write_held();
    stream_.reset();
    close();
}

void server_connection::answered() {
    observer_ = nullptr;
    if (phase_ == phase::closed || broken_) return;
    if (body_counted_ > 0) context_.options.capacity->remove_bytes(std::exchange(body_counted_, 0));
    body_.clear();
    if (body_.capacity() > bounds::kept_body_capacity) body_.shrink_to_fit();
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
    context_.on.timers().arm(deadline_, timer_kind::client_idle, bounds::idle_deadline, context_.on.recent());
}

// Closing at once while the client still sends would reset the connection and could destroy the answer on its way.
void server_connection::begin_linger() {
    stream_.shut_down_writes();
    context_.on.timers().arm(deadline_, timer_kind::linger, bounds::linger_deadline, context_.on.now());
    arm_read();
}

// Writing ---------------------------------------------------------------------------------------------------------

void server_connection::send(std::initializer_list<std::string_view> pieces) {
    if (phase_ == phase::closed || broken_) return;
    const bool waits = waits_to_write();
    if (!waits && output_.pending() > 0) { // for the socket to become writable
        output_.hold(pieces);
        return;
    }
    const bool batched = waits || (bytes_of(pieces) < bounds::batched_bytes && context_.on.writes().defers(*this));
    if (batched) {
        until_written_ = connection_ptr(this);
        output_.hold(pieces);
        if (output_.pending() < bounds::batched_bytes) return;
    }
    if (!(batched ? output_.flush(stream_) : output_.write(stream_, pieces)))
        on_write_failed();
    else if (output_.pending() > 0)
        await_writable();
}

// The writer is in the middle of something: it hears of it on the next turn of the loop.
void server_connection::on_write_failed() {
    broken_ = true;
    boost::asio::post(stream_.socket().get_executor(), [self = connection_ptr(this)] { self->break_off(); });
}

void server_connection::await_writable() {
    context_.on.timers().arm(write_stall_, timer_kind::client_write, context_.options.client_write_stall,
                             context_.on.now());
    arm_write();
}

void server_connection::write_batched() {
    const connection_ptr self = std::move(until_written_);
    if (phase_ == phase::closed || broken_) return;
    if (!output_.flush(stream_))
        break_off();
    else if (output_.pending() > 0)
        await_writable();
    else
        after_write();
}

/// Before the connection ends: what only waits for the end of the turn has been written as far as its writer knows.
void server_connection::write_held() {
    if (waits_to_write() && !broken_) output_.flush(stream_);
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
            await_writable();
        else
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
