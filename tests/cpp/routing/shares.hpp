#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace turnout::routing {

/// How many standard deviations the furthest of the counts is from its share of `draws` independent draws. The law says
/// at most 5, which chance misses once in 1.7 million counts.
inline double deviation(const std::vector<std::size_t>& counts, const std::vector<double>& shares, std::size_t draws) {
    double furthest = 0;
    const auto n = static_cast<double>(draws);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double distance = std::abs(static_cast<double>(counts[i]) - n * shares[i]);
        if (distance == 0) continue;
        // A share of 0 or 1 has no deviation to be excused with: any distance is infinitely far.
        furthest = std::fmax(furthest, distance / std::sqrt(n * shares[i] * (1 - shares[i])));
    }
    return furthest;
}

} // namespace turnout::routing
