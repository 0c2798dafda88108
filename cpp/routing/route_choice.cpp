// How route_fsm chooses whom to ask next: passes over pools, chains, reuse rounds and the waits between.
#include <algorithm>
#include <utility>

#include "routing/retry_wait.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::routing {

route_action route_fsm::choose(base::instant now, base::random_source& random) {
    if (now >= plan_.deadline) return finish(now, route_verdict::expired);
    while (attempts_left() != 0) {
        switch (stage_) {
        case stage::first_pass:
            if (attempts_started_ >= first_pass_budget() || !gather(now, false, false)) {
                if (!enter_chain(fallback_reason::general)) return finish_unserved(now);
                continue;
            }
            break;
        case stage::chain:
            if (!gather(now, false, false)) {
                if (!next_hop()) return finish_unserved(now);
                continue;
            }
            break;
        case stage::reuse: return {.type = route_action_type::read_state};
        }
        if (needs_snapshot(plan_.how) && asked().size() > 1) return {.type = route_action_type::read_state};
        if (rank_gathered({}, random)) return {.type = route_action_type::admit};
    }
    return finish_unserved(now);
}

route_action route_fsm::choose_from(base::instant now, std::span<const deployment_snapshot> values,
                                    base::random_source& random) {
    if (values.size() != asked().size()) throw std::logic_error("a snapshot of every deployment asked for is wanted");
    if (now >= plan_.deadline) return finish(now, route_verdict::expired);
    if (stage_ == stage::reuse) return reuse(now, values, random);
    if (gather(now, false, false) && rank_gathered(values, random)) return {.type = route_action_type::admit};
    return choose(now, random);
}

/// Whoever of the current pool may still be asked in this pass or round.
bool route_fsm::gather(base::instant now, bool tried, bool eligible_only) {
    order_.clear();
    for (position p = asked().begin; p < asked().end; ++p) {
        const auto& s = standings_[p];
        if (s.passed || s.given_up || s.tried != tried || now >= bound_of(p)) continue;
        if (eligible_only && !s.last.open()) continue;
        order_.push_back(p);
    }
    return !order_.empty();
}

ranking route_fsm::ranking_of(std::span<const deployment_snapshot> values) const {
    const auto& pool = asked();
    return {.all = std::span(plan_.map->deployments).subspan(pool.begin, pool.size()),
            .values = values,
            .pool_of_one = pool.size() == 1,
            .comparable_prices = pool.comparable_prices};
}

/// False if nobody of them is a candidate; then they are passed over.
bool route_fsm::rank_gathered(std::span<const deployment_snapshot> values, base::random_source& random) {
    const auto first = asked().begin;
    for (auto& p : order_) {
        standings_[p].passed = true;
        p = static_cast<position>(p - first);
    }
    rank(plan_.how, ranking_of(values), order_, random);
    // Those that the ranking left in have not been asked yet.
    for (auto& p : order_) {
        p = static_cast<position>(p + first);
        standings_[p].passed = false;
    }
    return !order_.empty();
}

base::instant route_fsm::bound_of(position p) const {
    const auto& total = plan_.map->deployments[p].total;
    return total ? std::min(plan_.deadline, plan_.began + *total) : plan_.deadline;
}

/// A chain can only be reached if the first pass leaves something for it.
unsigned route_fsm::first_pass_budget() const {
    return plan_.map->has_chain() && plan_.max_attempts > 1 ? plan_.max_attempts - 1 : plan_.max_attempts;
}

// Where to go next -----------------------------------------------------------------------------------------------

bool route_fsm::enter_chain(fallback_reason reason) {
    if (plan_.map->chain(reason).empty()) return reason == fallback_reason::general && enter_reuse();
    chain_ = reason;
    stage_ = stage::chain;
    hop_ = 0;
    pool_ = plan_.map->chain(reason).front();
    return true;
}

bool route_fsm::next_hop() {
    const auto& hops = plan_.map->chain(*chain_);
    if (++hop_ < hops.size()) {
        pool_ = hops[hop_];
        return true;
    }
    return *chain_ == fallback_reason::general && enter_reuse();
}

/// Only what was tried can be tried again: if nothing was, state has said everything.
bool route_fsm::enter_reuse() {
    if (attempts_.empty()) return false;
    stage_ = stage::reuse;
    turn_ = 0;
    pool_ = pool_in_round(0);
    round_began_something_ = false;
    for (auto& s : standings_) s.passed = false;
    return true;
}

std::size_t route_fsm::pools_in_round() const { return chain_ ? 1 + plan_.map->chain(*chain_).size() : 1; }

std::uint16_t route_fsm::pool_in_round(std::size_t index) const {
    return index == 0 ? std::uint16_t{0} : plan_.map->chain(*chain_)[index - 1];
}

void route_fsm::give_up(const pool_range& pool) {
    for (position p = pool.begin; p < pool.end; ++p) standings_[p].given_up = true;
}

// Reuse ----------------------------------------------------------------------------------------------------------

route_action route_fsm::reuse(base::instant now, std::span<const deployment_snapshot> values,
                              base::random_source& random) {
    const auto pool = ranking_of(values);
    for (position i = 0; i < values.size(); ++i) {
        auto& s = standings_[static_cast<position>(asked().begin + i)];
        s.known = true;
        s.last = values[i].entry;
        s.candidate = is_candidate(plan_.how, pool, i);
    }
    if (gather(now, false, true) && rank_gathered(values, random)) return {.type = route_action_type::admit};
    if (const auto p = std::exchange(waited_for_, std::nullopt); p && standings_[*p].last.open()) {
        order_.assign(1, *p);
        return {.type = route_action_type::admit};
    }
    if (gather(now, true, true) && rank_gathered(values, random)) return wait_for(now, order_.front(), random);
    return next_in_round(now, random);
}

route_action route_fsm::next_in_round(base::instant now, base::random_source& random) {
    if (++turn_ < pools_in_round()) {
        pool_ = pool_in_round(turn_);
        return {.type = route_action_type::read_state};
    }
    if (!round_began_something_) return wait_for_capacity(now, random);
    enter_reuse();
    return {.type = route_action_type::read_state};
}

route_action route_fsm::wait_for_capacity(base::instant now, base::random_source& random) {
    const auto first = first_capacity_to_end(now);
    if (!first || standings_[*first].last.until - now > longest_retry_wait) return finish_unserved(now);
    enter_reuse();
    while (!asked().holds(*first)) pool_ = pool_in_round(++turn_);
    return wait_for(now, *first, random);
}

/// Waits until `target` may be asked, or gives it up if there is no time for that.
route_action route_fsm::wait_for(base::instant now, position target, base::random_source& random) {
    const auto& s = standings_[target];
    base::duration least{};
    if (s.tried) least = std::max({backoff(waits_ + 1), plan_.retry_after, s.retry_at - now});
    if (s.last.why == obstacle::capacity) least = std::max(least, s.last.until - now);
    const auto until = now + with_jitter(least, random.unit());
    if (until >= bound_of(target)) {
        standings_[target].given_up = true;
        return choose(now, random);
    }
    ++waits_;
    wait_began_ = now;
    waited_for_ = target;
    return {.type = route_action_type::wait, .target = target, .until = until};
}

/// Somebody untried may have become eligible meanwhile, and goes first: the state is read again.
route_action route_fsm::on_waited(base::instant now) {
    waited_ += now - wait_began_;
    return {.type = route_action_type::read_state};
}

/// If nothing but capacity circuits that this request met itself is in the way: the deployment whose circuit ends first.
std::optional<position> route_fsm::first_capacity_to_end(base::instant now) const {
    std::optional<position> first;
    for (std::size_t i = 0; i < pools_in_round(); ++i) {
        const auto& pool = plan_.map->pools[pool_in_round(i)];
        for (position p = pool.begin; p < pool.end; ++p) {
            const auto& s = standings_[p];
            // What is in the way of those that will not be asked does not matter.
            if (s.given_up || !s.candidate || s.last.open() || now >= bound_of(p)) continue;
            if (!blocked_by_own_capacity(p)) return std::nullopt;
            if (!first || s.last.until < standings_[*first].last.until) first = p;
        }
    }
    return first;
}

bool route_fsm::blocked_by_own_capacity(position p) const {
    const auto domain = plan_.map->deployments[p].domain;
    return standings_[p].last.why == obstacle::capacity
           && std::any_of(attempts_.begin(), attempts_.end(), [&](const attempt_record& a) {
                  return !a.ok && a.failure == failure_class::throttle
                         && plan_.map->deployments[a.target].domain == domain;
              });
}

} // namespace turnout::routing
