#include "net/upstream_connection.hpp"

#include <array>
#include <string>
#include <utility>

#include <boost/asio/post.hpp>

#include "net/tls_client.hpp"

namespace turnout::net {
namespace {

using codec::http1::event_type;
using self_ptr = upstream_connection_ptr;

constexpr base::duration idle_limit = std::chrono::seconds(30);
constexpr base::duration drain_limit = std::chrono::seconds(1);
constexpr std::size_t drain_bytes = std::size_t{256} * 1024;

} // namespace

upstream_connection::upstream_connection(loop& l, connection_keeper& keeper, endpoint where, stream&& connected)
    : loop_(l),
      keeper_(keeper),
      where_(std::move(where)),
      stream_(std::move(connected)),
      parser_(codec::http1::message_kind::response),
      deadline_([](void* c) { static_cast<upstream_connection*>(c)->close(); }, this) {}

void upstream_connection::close() {
    if (phase_ == phase::closed) return;
    const self_ptr self(this);
    phase_ = phase::closed;
    user_ = nullptr;
    deadline_.cancel();
    stream_.close();
    keeper_.on_closed(*this);
}

void upstream_connection::fail(base::failure_origin origin, std::string_view detail) {
    const self_ptr self(this);
    auto* user = user_;
    const std::string text(detail); // may be a view into what close() frees
    close();
    if (user != nullptr) user->on_connection_failed(origin, text);
}

// Writing ---------------------------------------------------------------------------------------------------------

void upstream_connection::send(connection_user& user, std::span<const std::string_view> pieces) {
    user_ = &user;
    phase_ = phase::busy;
    deadline_.cancel();
    answer_begun_ = false;
    head_seen_ = false;
    written_at_.reset();
    paused_ = false;
    pieces_.assign(pieces.begin(), pieces.end());
    first_piece_ = 0;
    if (waits_to_write() || loop_.writes().defers(*this))
        until_written_ = self_ptr(this);
    else
        write_more();
    arm_read();
}

void upstream_connection::write_batched() {
    const self_ptr self = std::move(until_written_);
    if (phase_ == phase::busy && !written_at_) write_more();
}

void upstream_connection::write_more() {
    while (first_piece_ < pieces_.size()) {
        std::array<iovec, 16> vectors{};
        std::size_t count = 0;
        for (auto i = first_piece_; i < pieces_.size() && count < vectors.size(); ++i)
            vectors[count++] = {const_cast<char*>(pieces_[i].data()), pieces_[i].size()};
        const auto outcome = stream_.write({vectors.data(), count});
        if (outcome.status == io_status::eof || outcome.status == io_status::error) {
            // An upstream may refuse a request before it has read all of it: its answer may be waiting to be read. If
            // none is, the read side reports the loss.
            pieces_.clear();
            first_piece_ = 0;
            return;
        }
        auto taken = outcome.bytes;
        while (first_piece_ < pieces_.size() && taken >= pieces_[first_piece_].size())
            taken -= pieces_[first_piece_++].size();
        if (first_piece_ < pieces_.size()) pieces_[first_piece_].remove_prefix(taken);
        if (outcome.status == io_status::wait_read || outcome.status == io_status::wait_write) {
            arm_write(outcome.status == io_status::wait_read ? tcp_socket::wait_read : tcp_socket::wait_write);
            return;
        }
    }
    written_at_ = loop_.recent();
}

void upstream_connection::arm_write(tcp_socket::wait_type readiness) {
    if (write_armed_) return;
    write_armed_ = true;
    stream_.socket().async_wait(readiness, [self = self_ptr(this)](const boost::system::error_code& e) {
        self->write_armed_ = false;
        if (!e && self->phase_ == phase::busy) self->write_more();
    });
}

// Reading ---------------------------------------------------------------------------------------------------------

void upstream_connection::arm_read() {
    if (read_armed_ || paused_ || phase_ == phase::closed) return;
    read_armed_ = true;
    stream_.when_readable([self = self_ptr(this)](bool readable) {
        self->read_armed_ = false;
        if (readable) self->on_readable();
    });
}

bool upstream_connection::quiet() {
    char unasked = 0; // not the loop's buffer, which the request that is about to be sent may lie in
    return stream_.read({&unasked, 1}).status == io_status::wait_read;
}

void upstream_connection::pause() { paused_ = true; }

void upstream_connection::resume() {
    paused_ = false;
    arm_read();
}

void upstream_connection::on_readable() {
    const self_ptr self(this);
    for (int i = 0; i < reads_per_turn; ++i) {
        if (phase_ == phase::closed || paused_) return;
        const auto buffer = loop_.scratch();
        const auto outcome = stream_.read(buffer);
        if (outcome.status == io_status::wait_read || outcome.status == io_status::wait_write) break;
        if (outcome.status != io_status::ok) {
            on_end(outcome.status);
            return;
        }
        loop_.now(); // what follows asks for the recent time only
        on_bytes({buffer.data(), outcome.bytes});
        if (outcome.bytes < buffer.size() && !stream_.pending()) break;
    }
    arm_read();
}

void upstream_connection::on_bytes(std::string_view bytes) {
    if (phase_ == phase::idle) { // nobody asked: whatever this is, it answers no request of ours
        close();
        return;
    }
    answer_begun_ = true;
    if (phase_ == phase::draining) {
        drained_ += bytes.size();
        if (drained_ > drain_bytes) {
            close();
            return;
        }
    }
    while (phase_ == phase::busy || phase_ == phase::draining) {
        const auto e = parser_.next(bytes);
        switch (e.type) {
        case event_type::need_more:
            if (user_ != nullptr) user_->on_parts_read();
            return;
        case event_type::head:
            head_seen_ = true;
            if (user_ != nullptr) user_->on_answer_head(parser_.current());
            break;
        case event_type::body:
            if (user_ != nullptr) user_->on_answer_body(e.body);
            break;
        case event_type::complete: {
            // Bytes after the answer, or an answer to a request that is still leaving: the connection is out of step.
            const bool in_step = bytes.empty() && parser_.keep_alive() && written_at_.has_value();
            answer_complete(in_step);
            return;
        }
        case event_type::error: fail(base::failure_origin::malformed_http, parser_.problem_text()); return;
        }
    }
}

void upstream_connection::on_end(io_status how) {
    if (phase_ == phase::idle || phase_ == phase::draining) {
        close();
        return;
    }
    // Only an orderly close can be the end of an answer; a reset never is.
    if (how == io_status::eof && parser_.finish().type == event_type::complete) {
        answer_complete(false);
        return;
    }
    const auto alert = how == io_status::error && stream_.secure() ? alert_problem() : std::nullopt;
    if (alert && !answer_begun_)
        fail(base::failure_origin::tls_failed, *alert);
    else if (!head_seen_)
        fail(base::failure_origin::connection_lost, "the connection closed before the answer's head was complete");
    else
        fail(base::failure_origin::body_truncated, "the connection closed inside the answer's body");
}

void upstream_connection::answer_complete(bool reusable) {
    const self_ptr self(this);
    auto* user = std::exchange(user_, nullptr);
    if (reusable)
        become_idle();
    else
        close();
    if (user != nullptr) user->on_answer_complete();
}

void upstream_connection::become_idle() {
    phase_ = phase::idle;
    paused_ = false;
    pieces_.clear();
    loop_.timers().arm(deadline_, timer_kind::pool_idle, idle_limit, loop_.recent());
    keeper_.on_idle(self_ptr(this));
    arm_read();
}

void upstream_connection::drain() {
    if (phase_ != phase::busy || !written_at_) {
        close();
        return;
    }
    user_ = nullptr;
    phase_ = phase::draining;
    paused_ = false;
    drained_ = 0;
    loop_.timers().arm(deadline_, timer_kind::drain, drain_limit, loop_.now());
    arm_read();
}

} // namespace turnout::net
