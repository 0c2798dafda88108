#pragma once

#include <cstdint>
#include <optional>

#include "base/time.hpp"

namespace turnout::routing {

/// Index of a deployment in the plan that the driver made.
using position = std::uint16_t;

/// What is configured about a deployment and matters for its rank.
struct candidate {
    std::uint32_t weight = 1;
    std::uint32_t domain = 0; ///< failure domain; equal numbers share one capacity circuit
    std::optional<double> price =
        {}; ///< comparable with every other price of the pool; none: unknown, or not comparable
    std::optional<base::duration> total =
        {};                        ///< `totalMs` of its `executionPolicyOverrides`, since the request's start
    bool has_other_routes = false; ///< requests of other contracts reach the deployment at other paths
};

} // namespace turnout::routing
