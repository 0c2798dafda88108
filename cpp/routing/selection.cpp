#include "routing/selection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace turnout::routing {

namespace {

/// The one that owns `ticket` when everyone holds as many consecutive tickets as its weight.
std::size_t owner_of(std::uint64_t ticket, std::span<const candidate> pool, std::span<const position> positions) {
    std::size_t owner = 0;
    while (ticket >= pool[positions[owner]].weight) {
        ticket -= pool[positions[owner]].weight;
        ++owner;
    }
    return owner;
}

/// The same order by other means: whose exponentially distributed time, with its weight as the rate, is over first
/// (Efraimidis and Spirakis 2006).
void draw_by_times(std::span<const candidate> pool, std::span<position> positions, base::random_source& random) {
    std::vector<std::pair<double, position>> timed;
    timed.reserve(positions.size());
    for (const position p : positions) {
        const double time = pool[p].weight == 0 ? std::numeric_limits<double>::infinity()
                                                : -std::log1p(-random.unit()) / pool[p].weight;
        timed.emplace_back(time, p);
    }
    std::sort(timed.begin(), timed.end());
    std::transform(timed.begin(), timed.end(), positions.begin(), [](const auto& entry) { return entry.second; });
}

} // namespace

void draw_weighted_order(std::span<const candidate> pool, std::span<position> positions, base::random_source& random) {
    // Place by place is quadratic: 0.9 ms for 1000 positions, where the sort takes 0.1 ms.
    if (positions.size() > 64) return draw_by_times(pool, positions, random);

    std::uint64_t tickets = 0;
    for (const position p : positions) tickets += pool[p].weight;

    // The last place needs no draw, so a pool of one takes nothing from the random source.
    for (auto left = positions; left.size() > 1 && tickets > 0; left = left.subspan(1)) {
        const std::size_t drawn = owner_of(random.below(tickets), pool, left);
        std::swap(left[0], left[drawn]);
        tickets -= pool[left[0]].weight;
    }
}

} // namespace turnout::routing
