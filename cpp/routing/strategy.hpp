#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "routing/candidate.hpp"
#include "routing/snapshot.hpp"

namespace turnout::routing {

/// `routingStrategy` (page 000, "Strategies").
enum class strategy {
    simple_shuffle,
    least_busy,
    usage_based_rpm,
    usage_based_tpm,
    latency_based,
    throughput_based,
    price_based,
    health_aware,
};
std::string_view to_string(strategy s); ///< as configured, e.g. `least-busy`
std::optional<strategy> strategy_of(std::string_view name);

/// Whether ranking needs a snapshot of the candidates.
bool needs_snapshot(strategy s);

/// The deployments among which one decision is made.
struct ranking {
    std::span<const candidate> all;              ///< of the plan; positions index into it
    std::span<const deployment_snapshot> values; ///< by position; empty unless `needs_snapshot`
    bool pool_of_one = false; ///< the pool has one enabled deployment: selection is skipped, and weight means nothing
    bool comparable_prices = false; ///< every deployment of the pool has a price on one basis
};

/// Whether `p` can be chosen at all. Weight 0 takes it out wherever its weight decides: where it would be drawn, because
/// the strategy has no value to rank it by, and under health-aware, which multiplies by it.
bool is_candidate(strategy s, const ranking& pool, position p);

/// Puts `positions` in the order in which they should be asked, best first, and takes out those that are no
/// candidates. With snapshots those that would be admitted stand before those that would not,
/// each part ranked for itself. Ties are broken uniformly at random. Allocates nothing for up to 64 positions.
void rank(strategy s, const ranking& pool, std::pmr::vector<position>& positions, base::random_source& random);

} // namespace turnout::routing
