#include "gateway/socket_call.hpp"

#include <utility>

#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/event.hpp"
#include "codec/http1.hpp"
#include "codec/websocket/event_data.hpp"
#include "gateway/websocket_refusals.hpp"
#include "net/stale.hpp"

namespace turnout::gateway {
namespace {

// As much as one event may have.
constexpr std::uint64_t longest_message = std::uint64_t{16} << 20U;
constexpr std::string_view too_old_code = "websocket_connection_limit_reached";
// Errors are short; what is longer is not looked through for one.
constexpr std::size_t longest_error = 4096;

bool says_too_old(std::string_view message) {
    if (message.size() > longest_error || message.find(too_old_code) == std::string_view::npos) return false;
    const auto facts = codec::read_error(message);
    return facts && facts->code == too_old_code;
}

} // namespace

socket_call::socket_call(upstream_sockets_ptr home, const deployment& target, const std::string& request_id,
                         std::span<const std::string_view> message, socket_call_observer& observer)
    : home_(std::move(home)), target_(target), request_id_(request_id), message_(message), observer_(&observer) {}

socket_call::~socket_call() {
    if (socket_) socket_->close();
}

void socket_call::start() {
    socket_ = home_->take(target_, *this);
    kept_ = socket_ != nullptr;
    if (kept_)
        send();
    else
        open();
}

void socket_call::open() {
    std::string head = target_.socket_head;
    codec::http1::write_header(head, "x-request-id", request_id_);
    socket_ = home_->worker().upstreams.make_websocket(target_.where, std::move(head), longest_message);
    socket_->start(*this);
}

bool socket_call::sent() const { return answered_ && (!socket_ || socket_->written_at()); }

void socket_call::send() { socket_->send(message_); }

void socket_call::pause() {
    if (socket_) socket_->pause();
}

void socket_call::resume() {
    if (socket_) socket_->resume();
}

socket_call_observer* socket_call::end() {
    if (auto s = std::exchange(socket_, nullptr)) s->close();
    return std::exchange(observer_, nullptr);
}

void socket_call::cancel() { end(); }

void socket_call::drain() {
    observer_ = nullptr;
    auto s = std::exchange(socket_, nullptr);
    if (!s) return;
    if (s->is_open() && answered_ && s->written_at()) {
        s->leave(&codec::responses::is_of_no_turn);
        s->resume(); // it may have been paused for a client that was behind
        home_->keep(target_, std::move(s));
    } else {
        s->close();
    }
}

bool socket_call::replace() {
    if (!std::exchange(kept_, false) || answered_) return false;
    if (socket_) socket_->close();
    open();
    return true;
}

void socket_call::on_too_old() {
    const net::call_ptr self(this);
    if (replace()) return;
    if (auto* o = end()) o->on_socket_closed(codec::websocket::close_code::normal, too_old_code);
}

// What the WebSocket says -----------------------------------------------------------------------------------------

void socket_call::on_open() { send(); }

void socket_call::on_message(std::string& text) {
    const net::call_ptr self(this);
    if (!answered_) {
        if (says_too_old(text)) {
            on_too_old();
            return;
        }
        answered_ = true;
        message_ = {};
        observer_->on_socket_answer();
        if (observer_ == nullptr) return;
    }
    event_.clear();
    codec::websocket::append_event(event_, text);
    observer_->on_body(event_);
}

void socket_call::on_parts_read() {
    if (observer_ != nullptr) observer_->on_parts_read();
}

void socket_call::on_left(std::uint16_t code, std::string_view reason) {
    const net::call_ptr self(this);
    if (reason.find(too_old_code) != std::string_view::npos) {
        on_too_old();
        return;
    }
    if (net::is_stale(socket_->written_at(), home_->worker().on.now()) && replace()) return;
    if (auto* o = end()) o->on_socket_closed(code, reason);
}

void socket_call::on_head(const codec::http1::head& head) {
    const net::call_ptr self(this);
    if (!websocket_refusals::refuses(head.status())) {
        observer_->on_head(head);
        return;
    }
    home_->note_refusal(target_);
    if (auto* o = end()) o->on_no_socket();
}

void socket_call::on_body(std::string_view bytes) {
    if (observer_ != nullptr) observer_->on_body(bytes);
}

void socket_call::on_complete() {
    const net::call_ptr self(this);
    if (auto* o = end()) o->on_complete();
}

void socket_call::on_failure(base::failure_origin origin, std::string_view detail) {
    const net::call_ptr self(this);
    if (auto* o = end()) o->on_failure(origin, detail);
}

} // namespace turnout::gateway
