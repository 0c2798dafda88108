#include "gateway/socket_turn.hpp"

#include <utility>

#include "codec/websocket/event_data.hpp"

namespace turnout::gateway {
namespace {

using turn_ptr = boost::intrusive_ptr<socket_turn>;

} // namespace

socket_turn::socket_turn(net::server_websocket& socket, turn_owner& owner, net::counted_text message)
    : socket_(socket),
      owner_(&owner),
      message_(std::move(message)),
      head_(socket.request()),
      capacity_(socket.capacity()) {}

void socket_turn::respond(int /*status*/, std::string_view /*fields*/, std::string_view body) {
    if (owner_ == nullptr) return;
    socket_.write(body);
    socket_.flush();
    end();
}

void socket_turn::write(std::string_view payload) {
    if (owner_ == nullptr) return;
    while (!payload.empty()) {
        const auto data = codec::websocket::take_event_data(payload, joined_);
        if (data.empty())
            socket_.ping();
        else
            socket_.write(data);
    }
    socket_.flush();
}

void socket_turn::end() {
    auto* owner = std::exchange(owner_, nullptr);
    if (owner == nullptr) return;
    const turn_ptr self(this);
    observer_ = nullptr;
    message_.release();
    owner->on_turn_over();
}

void socket_turn::break_off(bool stalled) {
    const turn_ptr self(this);
    owner_ = nullptr;
    if (auto* observer = std::exchange(observer_, nullptr)) {
        if (stalled)
            observer->on_client_stalled();
        else
            observer->on_client_gone();
    }
    message_.release();
}

void socket_turn::drained() {
    const turn_ptr self(this);
    if (observer_ != nullptr) observer_->on_drained();
}

void socket_turn::server_ending() {
    const turn_ptr self(this);
    if (observer_ != nullptr) observer_->on_server_ending();
}

} // namespace turnout::gateway
