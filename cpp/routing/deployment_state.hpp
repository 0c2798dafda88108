#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "routing/capacity_circuit.hpp"
#include "routing/circuit.hpp"
#include "routing/leases.hpp"
#include "routing/metrics.hpp"
#include "routing/minute_counter.hpp"
#include "routing/snapshot.hpp"

namespace turnout::routing {

/// Both clocks at one moment: circuits live on the steady line, minutes on the wall.
struct moment {
    base::instant now{};
    base::wall_ms wall{};
};

/// How often whoever runs an attempt renews what it holds: a third of the time of its slot, and of its probe if it is
/// one. One renewal keeps both.
base::duration renewal_interval(circuit_permit permit, const circuit_settings& settings);

/// `rpmLimit` and `tpmLimit`; nothing is no limit.
struct usage_limits {
    std::optional<std::uint64_t> rpm{};
    std::optional<std::uint64_t> tpm{};
};

/// Which of a deployment's paths a request takes: one for each protocol that it speaks.
using path_index = std::uint8_t;
inline constexpr std::size_t most_paths = 4;
/// No path in particular: it is closed only where all that is known of the deployment is that it lacks a path.
inline constexpr path_index whole_deployment = most_paths;

/// How an attempt ended, as far as state is concerned.
struct settlement {
    attempt_effect effect = attempt_effect::neutral;
    bool counts = true; ///< of a transient failure: the first of its logical request on this deployment
    std::optional<base::milliseconds> retry_after{}; ///< of a throttle
    bool quota_exhausted = false;                    ///< of a throttle
    base::duration took{};                           ///< of a success: upstream time, without our own pauses
    std::optional<std::uint64_t> total_tokens{};     ///< of a success
    std::optional<std::uint64_t> completion_tokens{};
    double unit = 0; ///< uniform in [0, 1), for the length of a reopening
};

/// What a settlement did to circuits, for the journal.
struct circuit_effect {
    circuit_change change = circuit_change::none;
    circuit_cause cause = circuit_cause::transient; ///< meaningful if opened or reopened
    bool capacity = false;                          ///< the capacity circuit was opened or got longer
    base::instant until{};                          ///< of what was opened or lengthened
};

/// Everything live about one deployment, as pure transitions. The capacity circuit belongs to its failure domain and
/// is passed in.
class deployment_state {
public:
    /// Whether it would be admitted on one of its paths.
    gate entry(moment at, const usage_limits& limits, const capacity_circuit& capacity, path_index path) const;

    /// Takes the slot, the request of the minute and, if half-open, the probe. Precondition: the gate is open.
    circuit_permit admit(moment at, lease_number lease, base::instant lease_expiry, const circuit_settings& settings);

    void renew(base::instant now, lease_number lease, base::instant lease_expiry, circuit_permit permit,
               const circuit_settings& settings);

    /// A stream's probe showed the client something: it succeeded, and its end changes no circuit any more.
    circuit_change confirm(base::instant now, circuit_permit permit, const circuit_settings& settings);

    /// Gives the slot back and takes in how the attempt ended. A lease that holds no slot, since it was settled before,
    /// changes nothing.
    circuit_effect settle(moment at, lease_number lease, circuit_permit permit, const settlement& how,
                          const circuit_settings& settings, capacity_circuit& capacity, path_index path);

    deployment_snapshot snapshot(moment at, const usage_limits& limits, const capacity_circuit& capacity,
                                 const circuit_settings& settings, path_index path) const;

private:
    /// An upstream that lacks a path is not asked there for a while.
    struct path_record {
        base::instant closed_until{};
        bool answered = false; ///< since it was last missing
    };

    void record(moment at, const settlement& how, path_index path);
    gate path_entry(base::instant now, path_index path) const;

    circuit circuit_;
    std::array<path_record, most_paths> paths_;
    leases in_flight_;
    minute_counter requests_;
    minute_counter tokens_;
    moving_average latency_ms_;
    moving_average throughput_;
    rolling_health health_;
};

} // namespace turnout::routing
