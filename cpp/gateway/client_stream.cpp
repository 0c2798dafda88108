#include "gateway/client_stream.hpp"

#include <chrono>

#include "gateway/client_answer.hpp"

namespace turnout::gateway {
namespace {

constexpr base::duration longest_silence = std::chrono::seconds(10);
constexpr std::string_view keepalive = ": keepalive\n\n";

} // namespace

client_stream::client_stream(net::loop& on, const served_contract& contract, const std::string& request_id)
    : on_(on),
      contract_(contract),
      request_id_(request_id),
      silence_([](void* c) { static_cast<client_stream*>(c)->on_silence(); }, this) {}

void client_stream::hold(net::exchange& x) {
    exchange_ = &x;
    arm();
}

void client_stream::arm() {
    on_.timers().arm(silence_, net::timer_kind::keepalive, longest_silence, on_.now(), &request_id_);
}

void client_stream::open() {
    if (open_) return;
    open_ = true;
    exchange_->start_stream(200, stream_fields(contract_, request_id_));
}

void client_stream::on_silence() {
    arm();
    if (!contract_.socket) open();
    // A client that has not taken what it was sent is not waiting for anything new.
    if (exchange_->backlog() == 0) exchange_->write(keepalive);
}

void client_stream::write(std::string_view events) {
    exchange_->write(events);
    arm();
}

void client_stream::end() {
    exchange_->end();
    release();
}

void client_stream::release() {
    silence_.cancel();
    exchange_ = nullptr;
}

} // namespace turnout::gateway
