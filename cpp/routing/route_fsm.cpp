#include "routing/route_fsm.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/overloaded.hpp"

namespace turnout::routing {

namespace {

bool waits_outside_attempts(route_action_type action) {
    return action == route_action_type::read_state || action == route_action_type::admit
           || action == route_action_type::wait;
}

bool runs_attempt(route_action_type action) {
    return action == route_action_type::start_attempt || action == route_action_type::commit;
}

bool fits(route_action_type last, const route_event& event) {
    using enum route_action_type;
    return std::visit(base::overloaded{
                          [&](const begun&) { return last == none; },
                          [&](const snapshot_read&) { return last == read_state; },
                          [&](const admitted&) { return last == admit; },
                          [&](const attempt_committed&) { return last == start_attempt; },
                          [&](const attempt_succeeded&) { return runs_attempt(last); },
                          [&](const attempt_failed&) { return runs_attempt(last); },
                          [&](const settled&) { return last == settle; },
                          [&](const waited&) { return last == wait; },
                          [&](const total_expired&) { return waits_outside_attempts(last); },
                          [&](const client_left&) { return waits_outside_attempts(last); },
                      },
                      event);
}

/// Whether another deployment may answer what this one could not.
bool moves_on(failure_class failure) {
    switch (failure) {
    case failure_class::transient:
    case failure_class::throttle:
    case failure_class::configuration:
    case failure_class::incompatible: return true;
    case failure_class::request:
    case failure_class::context_window:
    case failure_class::content_policy:
    case failure_class::gateway: return false;
    }
    return false;
}

bool is_clients_doing(base::failure_origin origin) {
    return origin == base::failure_origin::client_gone || origin == base::failure_origin::client_stalled;
}

bool failed_by_configuration(const attempt_record& attempt) {
    return !attempt.ok && attempt.failure == failure_class::configuration;
}

} // namespace

route_fsm::route_fsm(route_plan plan) : plan_(std::move(plan)) {
    if (plan_.pool.size() > std::numeric_limits<position>::max()) throw std::length_error("the pool is too large");
    untried_.resize(plan_.pool.size());
    std::iota(untried_.begin(), untried_.end(), position{0});
    order_.reserve(untried_.size());
    attempts_.reserve(std::min<std::size_t>(plan_.max_attempts, untried_.size()));
}

route_action route_fsm::resume(base::instant now, const route_event& event, base::random_source& random) {
    if (!fits(last_action_, event)) throw std::logic_error("the event does not fit the route's last action");

    const auto action = std::visit(base::overloaded{
                                       [&](const begun&) { return choose(now, random); },
                                       [&](const snapshot_read&) { return choose(now, random); },
                                       [&](const admitted& e) { return on_admission(now, e.target); },
                                       [&](const attempt_committed&) { return commit(); },
                                       [&](const attempt_succeeded&) { return end_attempt(now, nullptr); },
                                       [&](const attempt_failed& e) { return end_attempt(now, &e.report); },
                                       [&](const settled&) { return after_attempt(now, random); },
                                       [&](const waited&) { return choose(now, random); },
                                       [&](const total_expired&) { return finish(route_verdict::expired); },
                                       [&](const client_left&) { return finish(route_verdict::client_gone); },
                                   },
                                   event);
    last_action_ = action.type;
    return action;
}

route_action route_fsm::choose(base::instant now, base::random_source& random) {
    if (now >= plan_.deadline) return finish(route_verdict::expired);
    if (attempts_left() == 0) return finish_unserved();

    order_ = untried_;
    drop_weightless(plan_.pool, order_);
    if (order_.empty()) return finish_unserved();
    draw_weighted_order(plan_.pool, order_, random);
    return {.type = route_action_type::admit};
}

route_action route_fsm::on_admission(base::instant now, std::optional<position> admitted) {
    if (!admitted) {
        exclude(order_);
        return finish_unserved();
    }
    const auto chosen = std::find(order_.begin(), order_.end(), *admitted);
    if (chosen == order_.end()) throw std::logic_error("the admitted deployment was no candidate");
    exclude({order_.begin(), chosen + 1});
    return start_attempt(now, *admitted);
}

void route_fsm::exclude(std::span<const position> asked) {
    std::erase_if(untried_, [&](position p) { return std::find(asked.begin(), asked.end(), p) != asked.end(); });
}

route_action route_fsm::start_attempt(base::instant now, position target) {
    target_ = target;
    attempt_started_ = now;
    ++attempts_started_;
    return {.type = route_action_type::start_attempt, .target = target};
}

route_action route_fsm::commit() {
    committed_ = true;
    return {.type = route_action_type::commit, .target = target_};
}

route_action route_fsm::end_attempt(base::instant now, const base::failure_report* failure) {
    auto& attempt = attempts_.emplace_back();
    attempt.target = target_;
    attempt.ok = failure == nullptr;
    attempt.committed = committed_;
    attempt.started = attempt_started_;
    attempt.ended = now;
    if (failure != nullptr) {
        const auto verdict = classify(*failure);
        attempt.failure = verdict.value;
        attempt.quota_exhausted = verdict.quota_exhausted;
        attempt.report = *failure;
        attempt.report.retry_after = verdict.wait;
    }
    return {.type = route_action_type::settle, .target = target_};
}

route_action route_fsm::after_attempt(base::instant now, base::random_source& random) {
    const auto& attempt = last_attempt();
    if (attempt.ok) return finish(route_verdict::served);
    if (is_clients_doing(attempt.report.origin)) return finish(route_verdict::client_gone);
    if (attempt.report.origin == base::failure_origin::total_timeout) return finish(route_verdict::expired);
    if (committed_ || !moves_on(attempt.failure)) return finish(route_verdict::failed);
    return choose(now, random);
}

route_action route_fsm::finish_unserved() {
    return finish(attempts_.empty() ? route_verdict::no_candidate : route_verdict::failed);
}

route_action route_fsm::finish(route_verdict verdict) {
    outcome_.verdict = verdict;
    outcome_.in_band = committed_;
    const auto deciding = std::find_if_not(attempts_.rbegin(), attempts_.rend(), failed_by_configuration);
    if (deciding != attempts_.rend()) {
        outcome_.deciding = static_cast<std::size_t>(attempts_.rend() - deciding) - 1;
    } else {
        outcome_.only_configuration = !attempts_.empty();
    }
    return {.type = route_action_type::finish};
}

} // namespace turnout::routing
