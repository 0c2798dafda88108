#pragma once

#include <span>

#include "base/random.hpp"
#include "routing/candidate.hpp"

namespace turnout::routing {

/// Puts `positions` in the order of a weighted draw without replacement: each place goes to one of those who are left,
/// with a chance proportional to its weight. Those of weight 0 come last. Allocates nothing for up to 64 positions.
void draw_weighted_order(std::span<const candidate> pool, std::span<position> positions, base::random_source& random);

} // namespace turnout::routing
