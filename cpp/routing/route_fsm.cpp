#include "routing/route_fsm.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/overloaded.hpp"
#include "routing/retry_wait.hpp"

namespace turnout::routing {

namespace {

bool asks_state(route_action_type action) {
    return action == route_action_type::read_state || action == route_action_type::admit;
}

bool waits_outside_attempts(route_action_type action) {
    return asks_state(action) || action == route_action_type::wait;
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
                          [&](const state_failed&) { return asks_state(last); },
                          [&](const total_expired&) { return waits_outside_attempts(last); },
                          [&](const client_left&) { return waits_outside_attempts(last); },
                          [&](const server_ended&) { return waits_outside_attempts(last) || runs_attempt(last); },
                      },
                      event);
}

bool is_clients_doing(base::failure_origin origin) {
    return origin == base::failure_origin::client_gone || origin == base::failure_origin::client_stalled;
}

bool is_out_of_time(base::failure_origin origin) {
    return origin == base::failure_origin::total_timeout || origin == base::failure_origin::paused_timeout;
}

bool failed_by_configuration(const attempt_record& attempt) {
    return !attempt.ok && attempt.failure == failure_class::configuration;
}

/// It speaks for the request only if nothing else can.
bool was_not_carried(const attempt_record& attempt) {
    return !attempt.ok && attempt.report.origin == base::failure_origin::not_carried;
}

} // namespace

route_fsm::route_fsm(const route_plan& plan) : plan_(plan) {
    if (plan_.map->deployments.size() > std::numeric_limits<position>::max())
        throw std::length_error("the plan has too many deployments");
    standings_.resize(plan_.map->deployments.size());
    order_.reserve(plan_.map->deployments.size());
    attempts_.reserve(1);
}

route_action route_fsm::resume(base::instant now, const route_event& event, base::random_source& random) {
    if (!fits(last_action_, event)) throw std::logic_error("the event does not fit the route's last action");

    const auto action =
        std::visit(base::overloaded{
                       [&](const begun&) { return choose(now, random); },
                       [&](const snapshot_read& e) { return choose_from(now, e.values, random); },
                       [&](const admitted& e) { return on_admission(now, e, random); },
                       [&](const attempt_committed&) { return commit(); },
                       [&](const attempt_succeeded& e) { return end_attempt(now, nullptr, e.measure, random); },
                       [&](const attempt_failed& e) { return end_attempt(now, &e.report, {}, random); },
                       [&](const settled& e) {
                           attempts_.back().effect = e.effect;
                           return after_attempt(now, random);
                       },
                       [&](const waited&) { return on_waited(now); },
                       [&](const state_failed&) { return finish(now, route_verdict::state_unavailable); },
                       [&](const total_expired&) { return finish(now, route_verdict::expired); },
                       [&](const client_left&) { return finish(now, route_verdict::client_gone); },
                       [&](const server_ended&) { return end_with_server(now, random); },
                   },
                   event);
    last_action_ = action.type;
    return action;
}

route_action route_fsm::on_admission(base::instant now, const admitted& event, base::random_source& random) {
    const auto chosen = event.target ? std::find(order_.begin(), order_.end(), *event.target) : order_.end();
    if (event.target && chosen == order_.end()) throw std::logic_error("the admitted deployment was no candidate");
    if (event.refused.size() != static_cast<std::size_t>(chosen - order_.begin()))
        throw std::logic_error("every candidate before the admitted one must have been refused, and no other");
    for (std::size_t i = 0; i < event.refused.size(); ++i) {
        auto& s = standings_[order_[i]];
        s.known = true;
        s.last = event.refused[i];
        s.passed = true;
    }
    return event.target ? start_attempt(now, *event.target, event.probe) : choose(now, random);
}

route_action route_fsm::start_attempt(base::instant now, position target, bool probe) {
    auto& s = standings_[target];
    s.known = s.tried = s.passed = true;
    s.last = {};
    target_ = target;
    if (waited_for_ == target) waited_for_.reset();
    probe_ = probe;
    attempt_started_ = now;
    ++attempts_started_;
    round_began_something_ = true;
    return {.type = route_action_type::start_attempt, .target = target, .until = bound_of(target)};
}

route_action route_fsm::commit() {
    committed_ = true;
    return {.type = route_action_type::commit, .target = target_};
}

route_action route_fsm::end_with_server(base::instant now, base::random_source& random) {
    if (!runs_attempt(last_action_)) return finish(now, route_verdict::server_ending);
    server_ending_ = true;
    const base::failure_report report{.origin = base::failure_origin::gateway};
    return end_attempt(now, &report, {}, random);
}

route_action route_fsm::end_attempt(base::instant now, const base::failure_report* failure,
                                    const attempt_measure& measure, base::random_source& random) {
    auto& attempt = attempts_.emplace_back();
    auto& s = standings_[target_];
    attempt.target = target_;
    attempt.ok = failure == nullptr;
    attempt.committed = committed_;
    attempt.probe = probe_;
    attempt.waited = std::exchange(waited_, {});
    attempt.started = attempt_started_;
    attempt.ended = now;
    double unit = 0;
    if (failure != nullptr) {
        const auto verdict = classify(*failure);
        attempt.failure = verdict.value;
        attempt.quota_exhausted = verdict.quota_exhausted;
        attempt.missing_path = verdict.missing_path && plan_.map->deployments[target_].has_other_routes;
        attempt.report = *failure;
        attempt.report.retry_after = verdict.wait;
        attempt.counts = !s.counted;
        if (verdict.value == failure_class::transient || verdict.value == failure_class::configuration) {
            s.counted = true;
            unit = random.unit();
        }
        if (verdict.wait) {
            s.retry_at = now + *verdict.wait;
            s.given_up = s.given_up || *verdict.wait > longest_retry_wait;
        }
    }
    if (was_not_carried(attempt) && attempt.report.status == 0) --attempts_started_; // no upstream was called
    settlement_ = settlement_of(attempt, measure, unit);
    if (!plan_.generates) settlement_ = {};
    return {.type = route_action_type::settle, .target = target_};
}

route_action route_fsm::after_attempt(base::instant now, base::random_source& random) {
    const auto& attempt = last_attempt();
    if (attempt.ok) return finish(now, route_verdict::served);
    if (server_ending_) return finish(now, route_verdict::server_ending);
    if (is_clients_doing(attempt.report.origin)) return finish(now, route_verdict::client_gone);
    if (is_out_of_time(attempt.report.origin)) return finish(now, route_verdict::expired);
    if (committed_) return finish(now, route_verdict::failed);
    switch (attempt.failure) {
    case failure_class::incompatible: standings_[target_].given_up = true; return choose(now, random);
    case failure_class::transient:
    case failure_class::throttle:
    case failure_class::configuration: return choose(now, random);
    case failure_class::context_window: return after_context_or_policy(now, fallback_reason::context_window, random);
    case failure_class::content_policy: return after_context_or_policy(now, fallback_reason::content_policy, random);
    case failure_class::request:
    case failure_class::gateway: return finish(now, route_verdict::failed);
    }
    return finish(now, route_verdict::failed);
}

/// Such an answer ends its pool. In the primary it chooses a chain, unless one was chosen before.
route_action route_fsm::after_context_or_policy(base::instant now, fallback_reason reason,
                                                base::random_source& random) {
    if (pool_ == 0) {
        if (chain_ || !enter_chain(reason)) return finish(now, route_verdict::failed);
        return choose(now, random);
    }
    give_up(plan_.map->pools[pool_]);
    return choose(now, random);
}

route_action route_fsm::finish_unserved(base::instant now) {
    return finish(now, attempts_.empty() ? route_verdict::no_candidate : route_verdict::failed);
}

route_action route_fsm::finish(base::instant now, route_verdict verdict) {
    outcome_.verdict = verdict;
    const auto deciding = std::find_if(attempts_.rbegin(), attempts_.rend(), [](const attempt_record& a) {
        return !failed_by_configuration(a) && !was_not_carried(a);
    });
    if (deciding != attempts_.rend()) {
        outcome_.deciding = static_cast<std::size_t>(attempts_.rend() - deciding) - 1;
    } else if (std::any_of(attempts_.begin(), attempts_.end(), failed_by_configuration)) {
        outcome_.only_configuration = true;
    } else if (!attempts_.empty()) {
        outcome_.deciding = attempts_.size() - 1;
    }
    if (verdict == route_verdict::no_candidate) {
        // Where nobody of the primary pool carries the request, its fallbacks speak for it.
        const auto own = plan_.map->pools.front().size();
        const auto [why, earliest] =
            why_unserved(std::span(standings_).first(own != 0 ? own : standings_.size()), standings_);
        outcome_.shortfall = why;
        if (earliest) outcome_.retry_after = std::max(*earliest - now, base::duration{});
    }
    return {.type = route_action_type::finish};
}

} // namespace turnout::routing
