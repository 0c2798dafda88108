#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "routing/snapshot.hpp"

namespace turnout::routing {

/// Index of a deployment in the plan that the driver made.
using position = std::uint16_t;

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

/// What is configured about a deployment and matters for its rank.
struct candidate {
    std::uint32_t weight = 1;
    std::uint32_t domain = 0;    ///< failure domain; equal numbers share one capacity circuit
    std::optional<double> price; ///< comparable with every other price of the pool; none: unknown or not comparable
    std::optional<base::duration> total; ///< `totalMs` of its `executionPolicyOverrides`, since the request's start
};

/// The deployments among which one decision is made.
struct ranking {
    std::span<const candidate> all;              ///< of the plan; positions index into it
    std::span<const deployment_snapshot> values; ///< by position; empty unless `needs_snapshot`
    bool pool_of_one = false; ///< the pool has one enabled deployment: selection is skipped, and weight means nothing
    bool comparable_prices = false; ///< every deployment of the pool has a price on one basis
};

/// Puts `positions` in the order in which they should be asked, best first, and takes out those that are no candidates
/// (weight 0 under weighted selection and health-aware). Ties are broken uniformly at random. Allocates nothing.
void rank(strategy s, const ranking& pool, std::pmr::vector<position>& positions, base::random_source& random);

} // namespace turnout::routing
