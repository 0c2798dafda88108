#include "gateway/simulated_request.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace turnout::gateway {
namespace {

base::instant tick_from(base::instant t) { return std::chrono::ceil<base::milliseconds>(t); }

} // namespace

routing::moment simulated_world::moment() const {
    const auto passed = std::chrono::floor<base::milliseconds>(now.time_since_epoch());
    return {now, {wall_at_zero.value + passed.count()}};
}

simulated_request::simulated_request(simulated_world& world, const model_routes& model, bool stream)
    : world_(world),
      model_(model),
      stream_(stream),
      fsm_(text_plan(world.settings.router, model, stream, true, world.now)) {
    proceed(routing::begun{});
}

std::optional<state::deployment_key> simulated_request::target() const {
    return state_ == simulated_state::attempt ? std::optional{ref(target_).key} : std::nullopt;
}

std::optional<base::instant> simulated_request::until() const {
    return state_ == simulated_state::waiting ? std::optional{tick_from(wait_until_)} : std::nullopt;
}

void simulated_request::proceed(const routing::route_event& event) {
    std::optional next{event};
    while (next) {
        const auto action = fsm_.resume(world_.now, *next, world_.draws);
        note_chain();
        next = perform(action);
    }
}

std::optional<routing::route_event> simulated_request::perform(const routing::route_action& action) {
    switch (action.type) {
    case routing::route_action_type::read_state: return read_state();
    case routing::route_action_type::admit: return admit();
    case routing::route_action_type::start_attempt: start_attempt(action.until); return std::nullopt;
    case routing::route_action_type::wait: begin_wait(action); return std::nullopt;
    case routing::route_action_type::commit:
        world_.store.confirm(world_.moment(), ref(target_), held_, circuits());
        return std::nullopt;
    case routing::route_action_type::settle: return settle();
    case routing::route_action_type::finish: state_ = simulated_state::finished; return std::nullopt;
    case routing::route_action_type::none: return std::nullopt;
    }
    return std::nullopt;
}

routing::route_event simulated_request::read_state() {
    const auto pool = fsm_.asked();
    world_.store.read(world_.moment(), std::span(model_.refs).subspan(pool.begin, pool.size()), circuits(),
                      [this](state::state_error, std::span<const routing::deployment_snapshot> values) {
                          values_.assign(values.begin(), values.end());
                      });
    return routing::snapshot_read{values_};
}

routing::route_event simulated_request::admit() {
    const auto candidates = fsm_.candidates();
    std::vector<state::deployment_ref> refs;
    asked_decision made;
    for (const auto p : candidates) {
        refs.push_back(ref(p));
        made.candidates.push_back(ref(p).key);
    }
    routing::admitted event;
    world_.store.admit(world_.moment(), refs, circuits(), [&](state::state_error, const state::admission& a) {
        refused_.assign(a.refused.begin(), a.refused.end());
        if (!a.chosen) return;
        event.target = target_ = candidates[*a.chosen];
        held_ = a.permit;
    });
    for (std::size_t i = 0; i < refused_.size(); ++i) made.refused.push_back({refs[i].key, refused_[i]});
    if (event.target) made.chosen = ref(*event.target).key;
    decisions_.push_back({world_.now, std::move(made)});
    event.refused = refused_;
    event.probe = event.target && held_.circuit.probe;
    return event;
}

routing::route_event simulated_request::settle() {
    routing::settled event;
    world_.store.settle(world_.moment(), ref(target_), std::exchange(held_, {}), fsm_.last_settlement(), circuits(),
                        [&](state::state_error, const routing::circuit_effect& effect) { event.effect = effect; });
    return event;
}

void simulated_request::start_attempt(base::instant bound) {
    state_ = simulated_state::attempt;
    bound_ = bound;
    renew_at_ = world_.now + routing::renewal_interval(held_.circuit, circuits());
}

void simulated_request::begin_wait(const routing::route_action& action) {
    state_ = simulated_state::waiting;
    bound_ = fsm_.plan().deadline;
    wait_until_ = action.until;
    wait_decision made{.who = ref(action.target).key, .until = action.until};
    world_.store.read(world_.moment(), std::span(&ref(action.target), 1), circuits(),
                      [&](state::state_error, std::span<const routing::deployment_snapshot> values) {
                          made.for_capacity = values.front().entry.why == routing::obstacle::capacity;
                      });
    decisions_.push_back({world_.now, made});
}

void simulated_request::note_chain() {
    if (chain_noted_ || !fsm_.chain()) return;
    chain_noted_ = true;
    chain_decision made{.reason = *fsm_.chain(), .models = {}};
    for (const auto hop : model_.routes.chain(made.reason)) made.models.push_back(model_.pool_names[hop]);
    decisions_.push_back({world_.now, std::move(made)});
}

// What the script says -------------------------------------------------------------------------------------------

void simulated_request::require_attempt() const {
    if (state_ != simulated_state::attempt) throw std::logic_error("no attempt is running");
}

void simulated_request::commit() {
    require_attempt();
    if (!stream_) throw std::logic_error("only a stream commits before its end");
    if (fsm_.committed()) throw std::logic_error("the stream has committed before");
    proceed(routing::attempt_committed{});
}

void simulated_request::succeed(const routing::attempt_measure& measure) {
    require_attempt();
    proceed(routing::attempt_succeeded{measure});
}

void simulated_request::fail(base::failure_report report) {
    require_attempt();
    proceed(routing::attempt_failed{std::move(report)});
}

void simulated_request::leave() {
    switch (state_) {
    case simulated_state::attempt: fail({.origin = base::failure_origin::client_gone}); return;
    case simulated_state::waiting: proceed(routing::client_left{}); return;
    case simulated_state::finished:
    case simulated_state::abandoned: throw std::logic_error("the request is over");
    }
}

void simulated_request::abandon() {
    if (state_ == simulated_state::finished || state_ == simulated_state::abandoned)
        throw std::logic_error("the request is over");
    state_ = simulated_state::abandoned;
}

// What time does -------------------------------------------------------------------------------------------------

std::optional<base::instant> simulated_request::due() const {
    switch (state_) {
    case simulated_state::attempt: return tick_from(std::min(bound_, renew_at_));
    case simulated_state::waiting: return tick_from(std::min(bound_, wait_until_));
    case simulated_state::finished:
    case simulated_state::abandoned: break;
    }
    return std::nullopt;
}

void simulated_request::on_time() {
    const bool expired = world_.now >= bound_;
    if (state_ == simulated_state::waiting) {
        if (expired) {
            proceed(routing::total_expired{});
        } else {
            proceed(routing::waited{});
        }
    } else if (!expired) {
        keep();
    } else if (bound_ < fsm_.plan().deadline) {
        fail({.origin = base::failure_origin::response_timeout});
    } else {
        fail({.origin = base::failure_origin::total_timeout});
    }
}

void simulated_request::keep() {
    world_.store.renew(world_.moment(), ref(target_), held_, circuits());
    renew_at_ = world_.now + routing::renewal_interval(held_.circuit, circuits());
}

} // namespace turnout::gateway
