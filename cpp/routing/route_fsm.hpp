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
#include "routing/failure_class.hpp"
#include "routing/selection.hpp"

namespace turnout::routing {

/// What one logical request may do. The driver fills it from a pool.
struct route_plan {
    std::vector<candidate> pool; ///< enabled deployments of the public model
    unsigned max_attempts = 3;
    base::instant deadline = base::instant::max(); ///< when `totalMs` passes
};

enum class route_action_type {
    read_state,    ///< read a snapshot of the plan's deployments, then resume with `snapshot_read`
    admit,         ///< admit the first eligible of `candidates()`, in that order, then resume with `admitted`
    start_attempt, ///< call deployment `target`; resume with `attempt_committed` and, once, `attempt_ended`
    wait,          ///< resume with `waited` when `until` has come
    commit,        ///< send the client what is held; from here nothing is retried; go on with the attempt
    settle, ///< tell the state how the attempt on `target` ended (`last_attempt()`); resume with `settled` at once
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
struct snapshot_read {};
/// Without a target no candidate was eligible.
struct admitted {
    std::optional<position> target;
};
struct attempt_committed {}; ///< the first frame that commits was seen
struct attempt_succeeded {};
struct attempt_failed {
    base::failure_report report;
};
struct settled {};
struct waited {};
struct total_expired {}; ///< `totalMs` passed and no attempt is running
struct client_left {};   ///< and no attempt is running

using route_event = std::variant<begun, snapshot_read, admitted, attempt_committed, attempt_succeeded, attempt_failed,
                                 settled, waited, total_expired, client_left>;

/// One finished attempt, for the log, the metadata and the state.
struct attempt_record {
    position target = 0;
    bool ok = false;
    bool committed = false;
    failure_class failure = failure_class::transient; ///< meaningful unless ok
    bool quota_exhausted = false;
    base::failure_report report; ///< meaningful unless ok
    base::instant started{};
    base::instant ended{};
};

enum class route_verdict {
    served,       ///< an attempt succeeded
    failed,       ///< attempts failed; `deciding` says which one speaks for them
    no_candidate, ///< nothing was admissible and nothing was attempted
    expired,      ///< `totalMs` passed
    client_gone,
};

struct route_outcome {
    route_verdict verdict = route_verdict::no_candidate;
    std::optional<std::size_t> deciding =
        {};                          ///< index into `attempts()`: the last that was not a configuration failure
    bool only_configuration = false; ///< every attempt failed by configuration
    bool in_band = false;            ///< the stream was committed: the failure goes in-band
};

/// One logical request's life without I/O: call `resume`, do what it says, call again with what happened.
class route_fsm {
public:
    explicit route_fsm(route_plan plan);
    route_fsm(const route_fsm&) = delete;
    route_fsm& operator=(const route_fsm&) = delete;

    /// Precondition: the event fits the last action. `std::logic_error` if it does not.
    route_action resume(base::instant now, const route_event& event, base::random_source& random);

    /// The order in which `admit` asks, best first. Valid from `admit` until the next `resume`. Whoever stands before
    /// the admitted one was refused, and is not asked again.
    std::span<const position> candidates() const { return order_; }
    /// Finished attempts, oldest first.
    std::span<const attempt_record> attempts() const { return attempts_; }
    const attempt_record& last_attempt() const { return attempts_.back(); }
    /// Valid after `finish`.
    const route_outcome& outcome() const { return outcome_; }
    /// How many attempts the budget still allows. An attempt is counted when it starts.
    unsigned attempts_left() const { return plan_.max_attempts - attempts_started_; }
    /// Whether the client has been sent something of an attempt.
    bool committed() const { return committed_; }

private:
    route_action choose(base::instant now, base::random_source& random);
    route_action on_admission(base::instant now, std::optional<position> admitted);
    void exclude(std::span<const position> asked);
    route_action start_attempt(base::instant now, position target);
    route_action commit();
    route_action end_attempt(base::instant now, const base::failure_report* failure);
    route_action after_attempt(base::instant now, base::random_source& random);
    route_action finish(route_verdict verdict);
    route_action finish_unserved();

    // Pools of usual size need no memory of their own.
    std::array<std::byte, 1024> storage_;
    std::pmr::monotonic_buffer_resource memory_{storage_.data(), storage_.size()};

    route_plan plan_;
    route_action_type last_action_ = route_action_type::none;

    std::pmr::vector<position> untried_{&memory_}; ///< neither attempted nor refused; in no particular order
    std::pmr::vector<position> order_{&memory_};
    position target_ = 0; ///< of the attempt that runs or ran last
    base::instant attempt_started_{};
    unsigned attempts_started_ = 0;
    bool committed_ = false;

    std::pmr::vector<attempt_record> attempts_{&memory_};
    route_outcome outcome_;
};

} // namespace turnout::routing
