#include "routing/selection.hpp"

#include <cassert>
#include <cstddef>
#include <utility>

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

} // namespace

void draw_weighted_order(std::span<const candidate> pool, std::span<position> positions, base::random_source& random) {
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
