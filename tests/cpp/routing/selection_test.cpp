#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>

#include "routing/selection.hpp"
#include "routing/shares.hpp"

namespace turnout::routing {
namespace {

using testing::ElementsAre;

constexpr std::size_t draws = 100'000;

std::vector<candidate> pool_of(const std::vector<std::uint32_t>& weights) {
    std::vector<candidate> pool;
    for (const auto weight : weights) pool.push_back({weight});
    return pool;
}

std::vector<position> all_of(const std::vector<candidate>& pool) {
    std::vector<position> positions(pool.size());
    std::iota(positions.begin(), positions.end(), position{0});
    return positions;
}

/// How often each position came at `rank`.
std::vector<std::size_t> count_at(std::size_t rank, const std::vector<std::uint32_t>& weights, std::uint64_t seed,
                                  std::size_t times = draws) {
    const auto pool = pool_of(weights);
    base::splitmix random{seed};
    std::vector<std::size_t> counts(pool.size());
    for (std::size_t i = 0; i < times; ++i) {
        auto order = all_of(pool);
        draw_weighted_order(pool, order, random);
        ++counts[order[rank]];
    }
    return counts;
}

bool agrees(const std::vector<std::size_t>& counts, const std::vector<double>& shares, std::size_t times = draws) {
    return deviation(counts, shares, times) <= 5;
}

// The first place goes by weight
TEST(weighted_order, gives_each_its_share_of_first_places) {
    EXPECT_TRUE(agrees(count_at(0, {100, 200, 300, 400}, 1), {0.1, 0.2, 0.3, 0.4}));
    EXPECT_TRUE(agrees(count_at(0, {1, 1}, 2), {0.5, 0.5}));
    EXPECT_TRUE(agrees(count_at(0, {1, 0, 3}, 3), {0.25, 0, 0.75}));
}

// The check above can see a weight that is wrong by a twentieth
TEST(weighted_order, is_measured_finely_enough_to_see_a_weight_that_is_wrong) {
    EXPECT_FALSE(agrees(count_at(0, {100, 200, 300, 420}, 1), {0.1, 0.2, 0.3, 0.4}));
    EXPECT_FALSE(agrees(count_at(0, {20, 21}, 2), {0.5, 0.5}));
}

// The second place goes by weight among those who are left: without replacement, P(i second) = sum over j != i of
// P(j first) * w_i / (W - w_j)
TEST(weighted_order, gives_each_its_share_of_second_places) {
    const std::vector<double> w{1, 2, 5};
    std::vector<double> shares(3, 0.0);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            if (i != j) shares[i] += w[j] / 8 * w[i] / (8 - w[j]);
        }
    }
    EXPECT_TRUE(agrees(count_at(1, {1, 2, 5}, 4), shares));
}

// Large pools are drawn by other means with the same shares, on either side of the edge
TEST(weighted_order, has_the_same_shares_in_a_large_pool) {
    for (const std::size_t size : {64U, 65U, 200U}) {
        std::vector<std::uint32_t> weights(size, 0);
        weights[3] = 1;
        weights[20] = 2;
        weights[63] = 5;
        std::vector<double> first(size, 0.0);
        first[3] = 1.0 / 8;
        first[20] = 2.0 / 8;
        first[63] = 5.0 / 8;
        EXPECT_TRUE(agrees(count_at(0, weights, 7, 20'000), first, 20'000)) << size;
        std::vector<double> third(size, 0.0);
        third[3] = 2.0 / 8 * 5 / 6 + 5.0 / 8 * 2 / 3;
        third[20] = 1.0 / 8 * 5 / 7 + 5.0 / 8 * 1 / 3;
        third[63] = 1.0 / 8 * 2 / 7 + 2.0 / 8 * 1 / 6;
        EXPECT_TRUE(agrees(count_at(2, weights, 7, 20'000), third, 20'000)) << size;
    }
}

// Weights up to the largest sum without overflow
TEST(weighted_order, takes_the_largest_weights) {
    constexpr std::uint32_t largest = 0xFFFF'FFFF;
    EXPECT_TRUE(agrees(count_at(0, {largest, largest}, 5), {0.5, 0.5}));
}

// A part of the pool is ordered among itself, and nobody is lost or doubled
TEST(weighted_order, is_a_permutation_of_what_it_was_given) {
    const auto pool = pool_of({3, 1, 4, 1, 5});
    base::splitmix random{6};
    for (int i = 0; i < 1000; ++i) {
        std::vector<position> order{4, 0, 2};
        draw_weighted_order(pool, order, random);
        std::sort(order.begin(), order.end());
        ASSERT_THAT(order, ElementsAre(0, 2, 4));
    }
}

} // namespace
} // namespace turnout::routing
