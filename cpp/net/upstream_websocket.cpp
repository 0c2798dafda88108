#include "net/upstream_websocket.hpp"

#include <array>
#include <utility>

#include <boost/asio/post.hpp>

#include "codec/websocket/handshake.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"
#include "net/tls_client.hpp"

namespace turnout::net {
namespace {

using base::failure_origin;
using codec::http1::event_type;
using codec::websocket::framing;

namespace close_code = codec::websocket::close_code;

// Who asks and asks and takes no answer would fill memory.
constexpr std::size_t most_unasked = std::size_t{64} * 1024;
// Of a message that is masked at a time.
constexpr std::size_t longest_part = std::size_t{64} * 1024;

std::string new_key(entropy& chance) {
    std::string bytes;
    for (int i = 0; i < 16; ++i) bytes += static_cast<char>(chance.next() >> 56U);
    return base64(bytes);
}

} // namespace

upstream_websocket::upstream_websocket(connecting& shared, const endpoint& to, std::string head,
                                       std::uint64_t most_bytes)
    : shared_(shared),
      to_(to),
      answer_(codec::http1::message_kind::response),
      frames_(framing::side::client, most_bytes, &chance_),
      stream_(shared.on().context()) {
    const auto key = new_key(chance_);
    accept_ = sha1_base64(key + std::string(codec::websocket::accept_suffix));
    codec::http1::write_header(head, "connection", "Upgrade");
    codec::http1::write_header(head, "upgrade", "websocket");
    codec::http1::write_header(head, "sec-websocket-version", "13");
    codec::http1::write_header(head, "sec-websocket-key", key);
    head += "\r\n";
    output_.hold({head});
    answer_.expect_upgrade();
}

upstream_websocket::~upstream_websocket() {
    if (connector_) connector_->cancel();
}

void upstream_websocket::start(upstream_websocket_user& user) {
    user_ = &user;
    phase_ = phase::connecting;
    connector_ = new connector(shared_, to_, *this);
    boost::asio::post(shared_.on().context(), [self = upstream_websocket_ptr(this), c = connector_] { c->start(); });
}

bool upstream_websocket::resume_use(upstream_websocket_user& user) {
    const upstream_websocket_ptr self(this);
    std::array<char, 4096> unasked; // NOLINT(*-member-init): not the loop's buffer, which a caller may be at work with
    int reads = 0;
    while (is_open() && reads <= reads_per_turn && read_once(unasked) > 0) ++reads;
    // Whatever is left, or the rest of a message, would be taken for the next turn's.
    if (is_open() && (reads > reads_per_turn || !frames_.between_messages())) close();
    if (!is_open()) return false;
    user_ = &user;
    arm_read();
    return true;
}

void upstream_websocket::leave(message_judge may_be_dropped) {
    user_ = nullptr;
    may_be_dropped_ = may_be_dropped;
}

void upstream_websocket::on_reached(stream&& s) {
    connector_ = nullptr;
    stream_ = std::move(s);
    phase_ = phase::handshaking;
    wrote(output_.flush(stream_));
    arm_read();
}

void upstream_websocket::on_unreached(failure_origin origin, std::string_view detail) { fail(origin, detail); }

// The end ---------------------------------------------------------------------------------------------------------

upstream_websocket_user* upstream_websocket::end() {
    phase_ = phase::closed;
    unsent_ = {};
    if (auto c = std::exchange(connector_, nullptr)) c->cancel();
    stream_.close();
    return std::exchange(user_, nullptr);
}

void upstream_websocket::close() {
    const upstream_websocket_ptr self(this);
    user_ = nullptr;
    if (is_open()) {
        frames_.close(close_code::normal);
        flush_frames();
    }
    end();
}

void upstream_websocket::fail(failure_origin origin, std::string_view detail) {
    const upstream_websocket_ptr self(this);
    const std::string text(detail); // may be a view into what `end` frees
    if (auto* user = end()) user->on_failure(origin, text);
}

void upstream_websocket::lose(std::uint16_t code, std::string_view reason) {
    const upstream_websocket_ptr self(this);
    if (auto* user = end()) user->on_left(code, reason);
}

void upstream_websocket::complete() {
    const upstream_websocket_ptr self(this);
    if (auto* user = end()) user->on_complete();
}

void upstream_websocket::on_end(io_status how) {
    const auto alert = how == io_status::error && stream_.secure() ? alert_problem() : std::nullopt;
    switch (phase_) {
    case phase::open: lose(close_code::abnormal, {}); return;
    case phase::refused:
        if (how == io_status::eof && answer_.finish().type == event_type::complete)
            complete();
        else
            fail(failure_origin::body_truncated, "the connection closed inside the answer's body");
        return;
    case phase::fresh:
    case phase::connecting:
    case phase::handshaking:
        if (alert)
            fail(failure_origin::tls_failed, *alert);
        else
            fail(failure_origin::connection_lost, "the connection closed before the WebSocket was open");
        return;
    case phase::closed: return;
    }
}

// Writing ---------------------------------------------------------------------------------------------------------

void upstream_websocket::send(std::span<const std::string_view> pieces) {
    written_at_.reset();
    unsent_ = pieces;
    begun_ = 0;
    message_size_ = 0;
    for (const auto piece : pieces) message_size_ += piece.size();
    send_parts();
}

void upstream_websocket::send_parts() {
    while (is_open() && !unsent_.empty() && output_.pending() == 0) {
        mask_part();
        flush_frames();
    }
}

void upstream_websocket::mask_part() {
    for (std::size_t room = longest_part; room > 0 && !unsent_.empty();) {
        const auto part = unsent_.front().substr(begun_, room);
        frames_.write_part(part, message_size_);
        room -= part.size();
        begun_ += part.size();
        if (begun_ < unsent_.front().size()) return;
        unsent_ = unsent_.subspan(1);
        begun_ = 0;
    }
}

void upstream_websocket::flush_frames() {
    auto& frames = frames_.output();
    if (frames.empty()) return;
    const bool alive = output_.write(stream_, {frames});
    std::string().swap(frames); // a message may have been large, and the next one is far
    wrote(alive);
}

void upstream_websocket::wrote(bool alive) {
    if (!alive) {
        output_.clear(); // the read side says what became of the connection
        unsent_ = {};
    } else if (output_.pending() > 0) {
        arm_write(output_.waits_for());
    } else if (unsent_.empty()) {
        unasked_ = 0;
        written_at_ = shared_.on().recent();
    }
}

void upstream_websocket::arm_write(io_status readiness) {
    if (std::exchange(write_armed_, true)) return;
    stream_.socket().async_wait(readiness == io_status::wait_read ? tcp_socket::wait_read : tcp_socket::wait_write,
                                [self = upstream_websocket_ptr(this)](const boost::system::error_code& e) {
                                    self->write_armed_ = false;
                                    if (e || self->phase_ == phase::closed) return;
                                    self->wrote(self->output_.flush(self->stream_));
                                    self->send_parts();
                                });
}

// Reading ---------------------------------------------------------------------------------------------------------

void upstream_websocket::arm_read() {
    if (read_armed_ || paused_ || phase_ == phase::closed) return;
    read_armed_ = true;
    stream_.when_readable([self = upstream_websocket_ptr(this)](bool readable) {
        self->read_armed_ = false;
        if (readable) self->on_readable();
    });
}

void upstream_websocket::resume() {
    paused_ = false;
    arm_read();
}

void upstream_websocket::on_readable() {
    const upstream_websocket_ptr self(this);
    read();
    arm_read();
}

void upstream_websocket::read() {
    const auto buffer = shared_.on().scratch();
    for (int i = 0; i < reads_per_turn && !paused_; ++i) {
        const auto bytes = read_once(buffer);
        if (bytes == 0 || (bytes < buffer.size() && !stream_.pending())) return;
    }
}

/// Returns how many bytes were there; 0 also if it is over.
std::size_t upstream_websocket::read_once(std::span<char> buffer) {
    if (phase_ == phase::closed) return 0;
    const auto outcome = stream_.read(buffer);
    if (outcome.status == io_status::wait_read || outcome.status == io_status::wait_write) return 0;
    if (outcome.status != io_status::ok) {
        on_end(outcome.status);
        return 0;
    }
    shared_.on().now(); // what follows asks for the recent time only
    on_bytes({buffer.data(), outcome.bytes});
    return outcome.bytes;
}

void upstream_websocket::on_bytes(std::string_view bytes) {
    if (is_open())
        on_frames(bytes);
    else
        on_answer(bytes);
}

void upstream_websocket::on_answer(std::string_view bytes) {
    while (phase_ == phase::handshaking || phase_ == phase::refused) {
        const auto e = answer_.next(bytes);
        switch (e.type) {
        case event_type::need_more: return;
        case event_type::head:
            if (answer_.current().status() == 101) {
                if (const auto why = codec::websocket::why_not_accepted(answer_.current(), accept_); !why.empty()) {
                    fail(failure_origin::malformed_http, why);
                    return;
                }
                phase_ = phase::open;
                if (user_ != nullptr) user_->on_open();
                if (is_open()) on_frames(bytes);
                return;
            }
            phase_ = phase::refused;
            if (user_ != nullptr) user_->on_head(answer_.current());
            break;
        case event_type::body:
            if (user_ != nullptr) user_->on_body(e.body);
            break;
        case event_type::complete: complete(); return;
        case event_type::error: fail(failure_origin::malformed_http, answer_.problem_text()); return;
        }
    }
}

void upstream_websocket::on_frames(std::string_view bytes) {
    frames_.feed(bytes);
    tell_messages();
    if (!is_open()) return;
    if (frames_.too_large()) {
        frames_.close(close_code::too_large);
        flush_frames();
        fail(failure_origin::malformed_body, "a message of the WebSocket is too large");
        return;
    }
    unasked_ += frames_.output().size();
    flush_frames();
    if (const auto& left = frames_.left())
        lose(left->code, left->reason);
    else if (frames_.closing())
        fail(failure_origin::malformed_http, "the frames of the WebSocket break its protocol");
    else if (unasked_ + frames_.waiting() > most_unasked)
        fail(failure_origin::malformed_http, "the upstream sends pings and takes no answer");
}

void upstream_websocket::tell_messages() {
    bool told = false;
    while (auto m = frames_.take()) {
        if (user_ == nullptr) {
            if (may_be_dropped_(m->text)) continue;
            close();
            return;
        }
        told = true;
        user_->on_message(m->text);
        if (!is_open()) return;
    }
    if (told && user_ != nullptr) user_->on_parts_read();
}

} // namespace turnout::net
