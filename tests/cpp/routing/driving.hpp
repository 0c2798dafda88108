#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "routing/route_fsm.hpp"

namespace turnout::routing {

/// Pools of deployments, given by their weights; the primary comes first. Every deployment is a failure domain of its
/// own, and positions run on from pool to pool.
class routes {
public:
    routes(std::initializer_list<std::vector<std::uint32_t>> pools) {
        for (const auto& weights : pools) {
            const auto begin = static_cast<position>(map.deployments.size());
            for (const auto weight : weights)
                map.deployments.push_back(
                    {.weight = weight, .domain = static_cast<std::uint32_t>(map.deployments.size())});
            map.pools.push_back({.begin = begin, .end = static_cast<position>(map.deployments.size())});
        }
    }

    routes& chain(fallback_reason reason, std::vector<std::uint16_t> hops) {
        map.chains[static_cast<std::size_t>(reason)] = std::move(hops);
        return *this;
    }
    routes& general(std::vector<std::uint16_t> hops) { return chain(fallback_reason::general, std::move(hops)); }
    routes& share_domain(std::initializer_list<position> members) {
        for (const auto p : members) map.deployments[p].domain = map.deployments[*members.begin()].domain;
        return *this;
    }
    routes& total(position p, base::duration total) {
        map.deployments[p].total = total;
        return *this;
    }

    route_map map;
};

/// Chance by seed, or always the lowest or the highest that there is.
class scripted_random final : public base::random_source {
public:
    std::uint64_t next() override { return fixed ? *fixed : seeded_.next(); }

    std::optional<std::uint64_t> fixed;

private:
    base::splitmix seeded_{7};
};

inline base::failure_report status(int value, std::string code = {}) {
    return {.origin = base::failure_origin::upstream_answer, .status = value, .code = std::move(code)};
}
inline base::failure_report asks_to_wait(int value, base::milliseconds wait) {
    auto report = status(value);
    report.retry_after = wait;
    return report;
}
inline base::failure_report stopped_by(base::failure_origin origin) { return {.origin = origin}; }
inline base::failure_report too_long() { return status(400, "context_length_exceeded"); }
inline base::failure_report forbidden() { return status(400, "content_filter"); }
inline base::failure_report unfit() { return status(413, "rate_limit_exceeded"); }

/// The test is the driver: it says how attempts end and what stands before deployments, and looks at what the machine
/// wants next. Reads and admissions are answered from `gates`.
class driven {
public:
    explicit driven(routes where, route_plan how = {}) : where_(std::move(where)), fsm(completed(how)) {
        gates.resize(where_.map.deployments.size());
    }

    static constexpr base::instant begin{std::chrono::seconds{1}};

    /// One event, without answers of the state.
    route_action tell(const route_event& event) {
        action = fsm.resume(now, event, random);
        return action;
    }

    /// What the machine wants after `event` and all that the state has to say.
    route_action go(const route_event& event) {
        tell(event);
        while (action.type == route_action_type::read_state || action.type == route_action_type::admit) answer();
        return action;
    }
    route_action begin_request() { return go(begun{}); }

    /// The attempt that runs ends so, and the state is told.
    route_action fail(const base::failure_report& report) {
        EXPECT_EQ(tell(attempt_failed{report}).type, route_action_type::settle);
        return go(settled{});
    }
    route_action succeed() {
        EXPECT_EQ(tell(attempt_succeeded{}).type, route_action_type::settle);
        return go(settled{});
    }

    /// Lets the wait pass that the machine asked for.
    route_action wait_out() {
        EXPECT_EQ(action.type, route_action_type::wait);
        now = std::max(now, action.until);
        return go(waited{});
    }
    /// How long the machine wants to wait.
    base::duration wait() const {
        EXPECT_EQ(action.type, route_action_type::wait);
        return action.until - now;
    }

    void block(position p, obstacle why, base::duration length = std::chrono::hours{1}) {
        gates[p] = {.why = why, .until = now + length};
    }
    void unblock(position p) { gates[p] = {}; }

    /// Whom the attempts were made on, in order; the one that runs counts.
    std::vector<position> asked() const {
        std::vector<position> all;
        for (const auto& a : fsm.attempts()) all.push_back(a.target);
        if (action.type == route_action_type::start_attempt) all.push_back(action.target);
        return all;
    }
    const route_outcome& outcome() const { return fsm.outcome(); }

    /// One answer of the state to what the machine asks for.
    route_action answer() {
        if (action.type == route_action_type::read_state) {
            ++reads;
            values.resize(gates.size());
            for (position p = 0; p < gates.size(); ++p) values[p].entry = gate_of(p);
            return tell(snapshot_read{std::span(values).subspan(fsm.asked().begin, fsm.asked().size())});
        }
        EXPECT_EQ(action.type, route_action_type::admit);
        std::vector<gate> refused;
        for (const auto p : fsm.candidates()) {
            const auto entry = gate_of(p);
            if (entry.open()) return tell(admitted{p, refused});
            refused.push_back(entry);
        }
        return tell(admitted{std::nullopt, refused});
    }

private:
    gate gate_of(position p) const { return now < gates[p].until ? gates[p] : gate{}; }

    route_plan completed(route_plan how) const {
        how.map = &where_.map;
        how.began = begin;
        if (how.deadline == base::instant::max()) how.deadline = begin + std::chrono::seconds{600};
        return how;
    }

    routes where_;

public:
    base::instant now = begin;
    scripted_random random;
    route_fsm fsm;
    route_action action;
    std::vector<gate> gates;                 ///< what stands before each deployment
    std::vector<deployment_snapshot> values; ///< what else is read of each
    unsigned reads = 0;
};

} // namespace turnout::routing
