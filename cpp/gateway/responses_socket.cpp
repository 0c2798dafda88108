#include "gateway/responses_socket.hpp"

#include <chrono>
#include <utility>
#include <variant>

#include "codec/http1.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"
#include "gateway/text_request.hpp"

namespace turnout::gateway {
namespace {

namespace close_code = codec::websocket::close_code;

constexpr std::size_t most_queued = 64;
constexpr base::duration longest_life = std::chrono::minutes(60);

codec::public_error too_old() {
    return invalid(400, "websocket_connection_limit_reached",
                   "The WebSocket is 60 minutes old, which is as long as one is kept. Open another one.");
}

codec::public_error too_many() {
    return {429,
            "rate_limit_error",
            "websocket_stream_limit_reached",
            {},
            "A turn is running and " + std::to_string(most_queued)
                + " wait for it, which is as many as may. Wait for one to end, or open another WebSocket."};
}

std::string id_line(std::string_view id) {
    std::string line;
    codec::http1::write_header(line, "x-request-id", id);
    return line;
}

} // namespace

void responses_socket::open(worker_context& worker, const net::exchange_ptr& x) {
    const pointer s(new responses_socket(worker, x));
    s->self_ = s;
    worker.on.timers().arm(s->life_, net::timer_kind::socket_life, longest_life, worker.on.now(), &s->id_);
}

responses_socket::responses_socket(worker_context& worker, const net::exchange_ptr& x)
    : worker_(worker),
      id_(request_id_of(x->request(), worker.ids)),
      socket_(x, x->request().find("sec-websocket-key").value_or(""), id_line(id_),
              worker.shared.settings.server.request_body_bytes, *this),
      upstreams_(new upstream_sockets(worker)),
      life_([](void* c) { static_cast<responses_socket*>(c)->on_old(); }, this) {}

// What the client sends -------------------------------------------------------------------------------------------

void responses_socket::on_message(net::counted_text message) {
    if (const auto why = over())
        tell(*why);
    else if (!busy_)
        begin(std::move(message));
    else if (queue_.size() < most_queued)
        queue_.push_back(std::move(message));
    else
        tell(too_many());
}

void responses_socket::on_no_room() { tell(overload(net::shortage::memory)); }

void responses_socket::on_too_large() {
    tell(invalid(413, "request_body_too_large",
                 "The message is larger than " + std::to_string(worker_.shared.settings.server.request_body_bytes)
                     + " bytes."));
}

void responses_socket::begin(net::counted_text message) {
    busy_ = true;
    const boost::intrusive_ptr turn(new socket_turn(socket_, *this, std::move(message)));
    turn_ = turn;
    auto id = worker_.buffers.take();
    id.append(id_).append(1, '-').append(std::to_string(++turns_));
    auto read = codec::responses::read_socket_request(turn->body());
    if (const auto* problem = std::get_if<codec::request_problem>(&read))
        send(turn, refuse(contract_of(contract_kind::responses_socket), id,
                          invalid(problem->status, problem->code, problem->message, problem->param)));
    else
        answer(std::move(id), std::get<codec::responses::socket_request>(std::move(read)));
}

void responses_socket::answer(std::string id, codec::responses::socket_request request) {
    const auto turn = turn_;
    if (!request.generate) {
        warm_up(id, request);
        return;
    }
    if (warm_ && warm_->is_named_by(request.request)) {
        warm_->precede(turn->body(), request);
        turn->keep(warm_);
    }
    answer_text(worker_, turn, contract_of(contract_kind::responses_socket), std::move(id), std::move(request.request),
                upstreams_);
}

void responses_socket::warm_up(const std::string& id, const codec::responses::socket_request& request) {
    const auto turn = turn_;
    const auto& contract = contract_of(contract_kind::responses_socket);
    const auto routes = find_routes(worker_, contract, request.request.model);
    if (const auto* problem = std::get_if<codec::public_error>(&routes)) {
        send(turn, refuse(contract, id, *problem));
        return;
    }
    const bool follows = warm_ && warm_->is_named_by(request.request);
    auto made = std::make_shared<const codec::responses::warm_up>("resp_" + id, turn->body(), request,
                                                                  follows ? warm_.get() : nullptr);
    if (!socket_.capacity().add_bytes(made->size())) {
        send(turn, refuse(contract, id, overload(net::shortage::memory)));
        return;
    }
    forget_warm_up();
    warm_ = std::move(made);
    std::string events;
    warm_->write_events(events, request.request.model, worker_.on.time().wall().value / 1000);
    turn->write(events);
    turn->end();
}

void responses_socket::forget_warm_up() {
    if (warm_) socket_.capacity().remove_bytes(warm_->size());
    warm_ = nullptr;
}

// One turn after the other ----------------------------------------------------------------------------------------

// The one who ended the turn is still at work with it: the next begins on a turn of the loop of its own.
void responses_socket::on_turn_over() {
    turn_ = nullptr;
    if (!queue_.empty()) {
        worker_.on.post([self = pointer(this)] { self->begin_next(); });
        return;
    }
    busy_ = false;
    close_if_over();
}

void responses_socket::begin_next() {
    if (!self_) return;
    if (queue_.empty()) {
        busy_ = false;
        close_if_over();
        return;
    }
    auto message = std::move(queue_.front());
    queue_.pop_front();
    begin(std::move(message));
}

void responses_socket::tell(const codec::public_error& e) {
    std::string frame;
    contract_of(contract_kind::responses_socket).protocol.write_error(frame, e, id_);
    socket_.write(frame);
    socket_.flush();
}

// The end ---------------------------------------------------------------------------------------------------------

std::optional<codec::public_error> responses_socket::over() const {
    if (draining_) return shutting_down();
    if (old_) return too_old();
    return std::nullopt;
}

/// A turn that runs is waited for, and those behind it are not begun.
void responses_socket::refuse_queued() {
    const auto why = over();
    for (; !queue_.empty(); queue_.pop_front()) tell(*why);
    close_if_over();
}

void responses_socket::close_if_over() {
    if (busy_ || !over() || !self_) return;
    if (old_ && !draining_) tell(too_old());
    socket_.close(close_code::going_away, draining_ ? "the gateway is shutting down" : "60 minutes are over");
    leave();
}

void responses_socket::on_old() {
    old_ = true;
    refuse_queued();
}

void responses_socket::on_draining() {
    draining_ = true;
    refuse_queued();
}

void responses_socket::on_drained() {
    if (turn_) turn_->drained();
}

void responses_socket::on_server_ending() {
    draining_ = true;
    queue_.clear();
    if (const auto turn = turn_) turn->server_ending();
    if (!self_) return;
    socket_.close(close_code::going_away, "the gateway is shutting down");
    if (const auto turn = std::exchange(turn_, nullptr)) turn->break_off(false);
    leave();
}

void responses_socket::on_closed(bool stalled) {
    if (const auto turn = std::exchange(turn_, nullptr)) turn->break_off(stalled);
    leave();
}

/// The socket is over; whoever said so may still be at work with it.
void responses_socket::leave() {
    if (!self_) return;
    life_.cancel();
    queue_.clear();
    forget_warm_up();
    upstreams_->close();
    worker_.on.post([self = std::exchange(self_, nullptr)] {});
}

} // namespace turnout::gateway
