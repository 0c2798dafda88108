#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.hpp"
#include "routing/fallback_reason.hpp"
#include "routing/strategy.hpp"

namespace turnout::routing {

/// The deployments of one pool: positions from `begin` up to, not including, `end`.
struct pool_range {
    position begin = 0;
    position end = 0;
    bool comparable_prices = false; ///< every deployment has a price, all on one basis

    bool holds(position p) const { return begin <= p && p < end; }
    std::size_t size() const { return static_cast<std::size_t>(end - begin); }
    bool operator==(const pool_range&) const = default;
};

/// Where requests for one public model may go. Immutable; made once per configuration generation.
struct route_map {
    std::vector<candidate> deployments; ///< the enabled ones: those of the primary pool, then those of fallbacks
    std::vector<pool_range> pools;      ///< the primary pool comes first
    std::array<std::vector<std::uint16_t>, 3> chains; ///< by `fallback_reason`: indices into `pools`, in order

    const std::vector<std::uint16_t>& chain(fallback_reason reason) const {
        return chains[static_cast<std::size_t>(reason)];
    }
    bool has_chain() const { return !chains[0].empty() || !chains[1].empty() || !chains[2].empty(); }
};

/// What one logical request may do.
struct route_plan {
    const route_map* map = nullptr; ///< outlives the machine; never null
    strategy how = strategy::simple_shuffle;
    unsigned max_attempts = 3;    ///< for the primary pool, all fallbacks and every reuse together
    base::duration retry_after{}; ///< `retryAfterSeconds`: the least wait before a deployment is asked again
    base::instant began{};
    base::instant deadline = base::instant::max(); ///< when `totalMs` passes
    /// Whether an attempt's end says how well the deployment generates. Counting tokens is fast, has limits of its own,
    /// and works where generating fails or fails where that works: it would hide or close it.
    bool generates = true;
};

} // namespace turnout::routing
