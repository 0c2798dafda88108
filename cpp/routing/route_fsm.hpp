#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/failure_report.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "routing/attempt_record.hpp"
#include "routing/route_plan.hpp"
#include "routing/snapshot.hpp"
#include "routing/standing.hpp"

namespace turnout::routing {

enum class route_action_type {
    read_state,    ///< read a snapshot of the deployments of `asked()`, then resume with `snapshot_read`
    admit,         ///< admit the first eligible of `candidates()`, in that order, then resume with `admitted`
    start_attempt, ///< call deployment `target`, which may take until `until`; resume with `attempt_committed` and, once,
                   ///< with how it ended
    wait,          ///< resume with `waited` when `until` has come
    commit,        ///< send the client what is held; from here nothing is retried; go on with the attempt
    settle, ///< tell the state how the attempt on `target` ended (`last_settlement()`); resume with `settled` at once
    finish, ///< the logical request is over: `outcome()`
    none,   ///< nothing to do until the next event
};

struct route_action {
    route_action_type type = route_action_type::none;
    position target = 0;
    base::instant until{};
};

// Events, in the order in which they can happen.
struct begun {};
struct snapshot_read {
    std::span<const deployment_snapshot> values; ///< of `asked()`, in that order
};
/// Without a target no candidate was eligible.
struct admitted {
    std::optional<position> target = {};
    std::span<const gate> refused = {}; ///< what was in the way of those before the target, or of all
    bool probe = false;
};
struct attempt_committed {}; ///< the first frame that commits was seen
struct attempt_succeeded {
    attempt_measure measure;
};
struct attempt_failed {
    base::failure_report report;
};
struct settled {
    circuit_effect effect; ///< nothing if the state has not said yet
};
struct waited {};
struct state_failed {};  ///< instead of `snapshot_read` or `admitted`: live state cannot be reached
struct total_expired {}; ///< `totalMs` passed and no attempt is running
struct client_left {};   ///< and no attempt is running
struct server_ended {};  ///< an attempt that runs goes no further, and none begins

using route_event = std::variant<begun, snapshot_read, admitted, attempt_committed, attempt_succeeded, attempt_failed,
                                 settled, waited, state_failed, total_expired, client_left, server_ended>;

enum class route_verdict {
    served,       ///< an attempt succeeded
    failed,       ///< attempts failed; `deciding` says which one speaks for them
    no_candidate, ///< nothing was admissible and nothing was attempted; `shortfall` says why
    expired,      ///< `totalMs` passed
    client_gone,
    server_ending,     ///< the process ends, so that nothing more can be tried
    state_unavailable, ///< live state could not be reached
};

struct route_outcome {
    route_verdict verdict = route_verdict::no_candidate;
    std::optional<std::size_t> deciding =
        {};                          ///< index into `attempts()`: the last that was not a configuration failure
    bool only_configuration = false; ///< every attempt failed by configuration
    shortage shortfall = shortage::nobody;
    std::optional<base::duration> retry_after = {}; ///< of `no_candidate`: until something may be admitted
};

/// One logical request's life without I/O: call `resume`, do what it says, call again with what happened.
///
/// Each eligible deployment of the primary pool is asked once, then each of the chain for the reason, then all of them
/// in rounds with waits between, until the budget is spent (page 000, "Retries" and "Fallbacks").
class route_fsm {
public:
    explicit route_fsm(const route_plan& plan);
    route_fsm(const route_fsm&) = delete;
    route_fsm& operator=(const route_fsm&) = delete;

    /// Precondition: the event fits the last action. `std::logic_error` if it does not.
    route_action resume(base::instant now, const route_event& event, base::random_source& random);

    /// Whose state is wanted. Valid from `read_state` until the next `resume`.
    const pool_range& asked() const { return plan_.map->pools[pool_]; }
    /// The order in which `admit` asks, best first. Valid from `admit` until the next `resume`. Whoever stands before
    /// the admitted one was refused.
    std::span<const position> candidates() const { return order_; }
    /// Valid from `settle` until the next `resume`.
    const settlement& last_settlement() const { return settlement_; }
    /// Finished attempts, oldest first.
    std::span<const attempt_record> attempts() const { return attempts_; }
    const attempt_record& last_attempt() const { return attempts_.back(); }
    /// Valid after `finish`.
    const route_outcome& outcome() const { return outcome_; }
    /// How many attempts the budget still allows. An attempt is counted when it starts.
    unsigned attempts_left() const { return plan_.max_attempts - attempts_started_; }
    /// Whether the client has been sent something of an attempt.
    bool committed() const { return committed_; }
    /// The chain that the request went to, if it went to one.
    std::optional<fallback_reason> chain() const { return chain_; }
    const route_plan& plan() const { return plan_; }

private:
    enum class stage { first_pass, chain, reuse };

    route_action choose(base::instant now, base::random_source& random);
    route_action choose_from(base::instant now, std::span<const deployment_snapshot> values,
                             base::random_source& random);
    route_action on_admission(base::instant now, const admitted& event, base::random_source& random);
    route_action on_waited(base::instant now);
    route_action start_attempt(base::instant now, position target, bool probe);
    route_action commit();
    route_action end_with_server(base::instant now, base::random_source& random);
    route_action end_attempt(base::instant now, const base::failure_report* failure, const attempt_measure& measure,
                             base::random_source& random);
    route_action after_attempt(base::instant now, base::random_source& random);
    route_action after_context_or_policy(base::instant now, fallback_reason reason, base::random_source& random);
    route_action finish(base::instant now, route_verdict verdict);
    route_action finish_unserved(base::instant now);

    // What may be asked, in `order_`.
    bool gather(base::instant now, bool tried, bool eligible_only);
    ranking ranking_of(std::span<const deployment_snapshot> values) const;
    bool rank_gathered(std::span<const deployment_snapshot> values, base::random_source& random);
    void pass_over_gathered();
    base::instant bound_of(position p) const;
    unsigned first_pass_budget() const;

    // Where to go when a pool has nothing more.
    bool enter_chain(fallback_reason reason);
    bool next_hop();
    bool enter_reuse();
    std::uint16_t pool_in_round(std::size_t index) const;
    std::size_t pools_in_round() const;

    route_action reuse(base::instant now, std::span<const deployment_snapshot> values, base::random_source& random);
    route_action next_in_round(base::instant now, base::random_source& random);
    route_action wait_for_capacity(base::instant now, base::random_source& random);
    route_action wait_for(base::instant now, position target, base::random_source& random);
    std::optional<position> first_capacity_to_end(base::instant now) const;
    bool blocked_by_own_capacity(position p) const;
    void give_up(const pool_range& pool);

    // A plan of 16 deployments whose first attempt succeeds needs no memory of its own. Open streams keep this one.
    static constexpr std::size_t usual = 16;
    std::array<std::byte, usual * (sizeof(standing) + sizeof(position)) + sizeof(attempt_record) + 64> storage_;
    std::pmr::monotonic_buffer_resource memory_{storage_.data(), storage_.size()};

    route_plan plan_;
    route_action_type last_action_ = route_action_type::none;

    stage stage_ = stage::first_pass;
    std::uint16_t pool_ = 0; ///< the one that is being asked: index into the map's pools
    std::size_t hop_ = 0;    ///< of the chain
    std::size_t turn_ = 0;   ///< which pool of the reuse round
    bool round_began_something_ = false;
    std::optional<fallback_reason> chain_;

    std::pmr::vector<standing> standings_{&memory_};
    std::pmr::vector<position> order_{&memory_};

    position target_ = 0; ///< of the attempt that runs or ran last
    bool probe_ = false;
    unsigned waits_ = 0;
    base::instant wait_began_{};
    std::optional<position> waited_for_; ///< and not asked since
    base::duration waited_{};
    base::instant attempt_started_{};
    unsigned attempts_started_ = 0;
    bool committed_ = false;
    bool server_ending_ = false;

    std::pmr::vector<attempt_record> attempts_{&memory_};
    settlement settlement_;
    route_outcome outcome_;
};

} // namespace turnout::routing
