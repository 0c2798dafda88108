#include "net/server_websocket.hpp"

#include <utility>

#include "codec/http1.hpp"
#include "codec/websocket/handshake.hpp"
#include "net/digest.hpp"

namespace turnout::net {

using codec::websocket::framing;

server_websocket::server_websocket(exchange_ptr x, std::string_view key, std::string_view fields,
                                   std::uint64_t most_bytes, websocket_observer& observer)
    : exchange_(std::move(x)), frames_(framing::side::server, most_bytes), observer_(&observer) {
    std::string lines = "upgrade: websocket\r\nconnection: Upgrade\r\n";
    const std::string answered = sha1_base64(std::string(key).append(codec::websocket::accept_suffix));
    codec::http1::write_header(lines, "sec-websocket-accept", answered);
    exchange_->free_body();
    exchange_->upgrade(lines.append(fields), *this);
}

server_websocket::~server_websocket() {
    if (detach() != nullptr) exchange_->observe(nullptr);
}

/// Nothing is told any more, and nothing kept.
websocket_observer* server_websocket::detach() {
    if (observer_ != nullptr) capacity().remove_bytes(std::exchange(counted_, 0));
    return std::exchange(observer_, nullptr);
}

void server_websocket::flush() {
    auto& output = frames_.output();
    if (output.empty()) return;
    exchange_->write(output);
    output.clear();
}

void server_websocket::ping() {
    frames_.ping();
    flush();
}

void server_websocket::close(std::uint16_t code, std::string_view reason) {
    if (detach() == nullptr) return;
    frames_.close(code, reason);
    flush();
    exchange_->end();
}

/// The socket is over on this side: by a close frame of either, or without one.
void server_websocket::end(bool stalled) {
    auto* observer = detach();
    if (observer == nullptr) return;
    flush();
    exchange_->end();
    observer->on_closed(stalled);
}

void server_websocket::on_bytes(std::string_view bytes) {
    frames_.feed(bytes);
    take_messages();
}

void server_websocket::take_messages() {
    while (auto m = frames_.take()) {
        if (m->dropped || !count(m->text.size()))
            observer_->on_no_room();
        else
            observer_->on_message({std::move(m->text), capacity(), std::exchange(counted_, 0)});
        if (observer_ == nullptr) return;
    }
    if (frames_.too_large()) {
        observer_->on_too_large();
        frames_.close(codec::websocket::close_code::too_large);
    } else if (!count(frames_.incoming())) {
        frames_.drop_message();
    }
    flush();
    if (frames_.closing()) end(false);
}

/// Counts the message that is coming in as so many bytes; false if there is no room, and nothing is counted then.
bool server_websocket::count(std::size_t bytes) {
    if (bytes <= counted_) return true;
    if (capacity().add_bytes(bytes - counted_)) {
        counted_ = bytes;
        return true;
    }
    capacity().remove_bytes(std::exchange(counted_, 0));
    return false;
}

void server_websocket::on_draining() {
    if (observer_ != nullptr) observer_->on_draining();
}

void server_websocket::on_client_gone() { end(false); }

void server_websocket::on_client_stalled() { end(true); }

void server_websocket::on_drained() {
    if (observer_ != nullptr) observer_->on_drained();
}

void server_websocket::on_server_ending() {
    if (observer_ != nullptr) observer_->on_server_ending();
}

} // namespace turnout::net
