#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <numeric>
#include <vector>

#include "routing/shares.hpp"
#include "routing/strategy.hpp"

namespace turnout::routing {

/// A pool of several with what is known about it.
struct ranked_pool {
    std::vector<candidate> all;
    std::vector<deployment_snapshot> values;
    bool of_one = false;
    bool comparable_prices = false;

    explicit ranked_pool(const std::vector<std::uint32_t>& weights) : all(weights.size()), values(weights.size()) {
        for (std::size_t i = 0; i < weights.size(); ++i) all[i].weight = weights[i];
    }

    void refuse(std::size_t who) { values[who].entry.why = obstacle::limit; }

    ranking view() const {
        return {.all = all, .values = values, .pool_of_one = of_one, .comparable_prices = comparable_prices};
    }

    void rank(strategy s, std::pmr::vector<position>& positions, base::random_source& random) const {
        positions.resize(all.size());
        std::iota(positions.begin(), positions.end(), position{0});
        routing::rank(s, view(), positions, random);
    }

    std::vector<position> rank(strategy s) const {
        base::splitmix random{1};
        std::pmr::vector<position> positions;
        rank(s, positions, random);
        return {positions.begin(), positions.end()};
    }

    /// How often each deployment stands at `place` of so many rankings.
    std::vector<std::size_t> count(strategy s, std::size_t draws, std::uint64_t seed, std::size_t place = 0) const {
        base::splitmix random{seed};
        std::vector<std::size_t> counts(all.size());
        std::pmr::vector<position> positions;
        for (std::size_t i = 0; i < draws; ++i) {
            rank(s, positions, random);
            ++counts[positions.at(place)];
        }
        return counts;
    }

    /// How many standard deviations the furthest count of 10,000 rankings is from its share.
    double deviation(strategy s, const std::vector<double>& shares, std::size_t place = 0) const {
        constexpr std::size_t draws = 10'000;
        return routing::deviation(count(s, draws, 1, place), shares, draws);
    }
};

} // namespace turnout::routing
