#include <algorithm>
#include <array>

#include <gmock/gmock.h>

#include "routing/ranking_fixture.hpp"

namespace turnout::routing {
namespace {

using testing::ElementsAre;
using testing::Le;
using testing::UnorderedElementsAre;

constexpr std::array every{strategy::simple_shuffle,  strategy::least_busy,    strategy::usage_based_rpm,
                           strategy::usage_based_tpm, strategy::latency_based, strategy::throughput_based,
                           strategy::price_based,     strategy::health_aware};

/// Those that draw by weight until somebody has a value.
constexpr std::array drawing{strategy::simple_shuffle, strategy::latency_based, strategy::throughput_based,
                             strategy::price_based, strategy::health_aware};

deployment_snapshot used(std::uint64_t requests, std::uint64_t tokens) {
    deployment_snapshot values;
    values.rpm = requests;
    values.tpm = tokens;
    return values;
}

deployment_snapshot recorded(std::uint64_t successes, std::uint64_t failed) {
    deployment_snapshot values;
    values.successes = successes;
    values.failed = failed;
    return values;
}

constexpr double sigmas = 5;
const std::vector<double> thirds(3, 1.0 / 3);

TEST(strategy, has_a_name_that_leads_back_to_it) {
    RecordProperty("rules", "STG-NAME-001");
    for (const auto s : every) EXPECT_EQ(strategy_of(to_string(s)), s);
    EXPECT_EQ(to_string(strategy::least_busy), "least-busy");
    EXPECT_EQ(strategy_of("least_busy"), std::nullopt);
    EXPECT_EQ(strategy_of(""), std::nullopt);
}

TEST(strategy, needs_a_snapshot_if_it_ranks_by_something_live) {
    for (const auto s : every) {
        EXPECT_EQ(needs_snapshot(s), s != strategy::simple_shuffle && s != strategy::price_based) << to_string(s);
    }
}

TEST(ranking, of_a_pool_of_one_is_skipped) {
    RecordProperty("rules", "STG-POOL-001");
    for (const auto s : every) {
        ranked_pool pool{{0}};
        pool.of_one = true;
        pool.values[0].successes = 1;
        EXPECT_THAT(pool.rank(s), ElementsAre(0)) << to_string(s);
    }
}

// One that is left of several is not a pool of one
TEST(ranking, of_the_last_one_of_several_still_minds_its_weight) {
    RecordProperty("rules", "STG-POOL-002");
    for (const auto s : drawing) EXPECT_THAT(ranked_pool{{0}}.rank(s), ElementsAre()) << to_string(s);
}

TEST(ranking, without_values_draws_by_weight) {
    RecordProperty("rules", "STG-DRAW-001 STG-LATENCY-002 STG-THROUGHPUT-002 STG-PRICE-002 STG-HEALTH-002");
    for (const auto s : drawing) {
        const ranked_pool pool{{1, 3, 0}};
        EXPECT_THAT(pool.deviation(s, {0.25, 0.75, 0}), Le(sigmas)) << to_string(s);
        EXPECT_THAT(pool.rank(s), UnorderedElementsAre(0, 1)) << to_string(s);
    }
}

TEST(ranking, needs_no_snapshot_to_draw_by_weight) {
    for (const auto s : {strategy::simple_shuffle, strategy::price_based}) {
        ranked_pool pool{{1, 0, 1}};
        pool.values.clear();
        EXPECT_THAT(pool.rank(s), UnorderedElementsAre(0, 2)) << to_string(s);
    }
}

TEST(simple_shuffle, is_a_weighted_draw_for_each_place) {
    RecordProperty("rules", "STG-DRAW-002");
    // Second places: 1/4 * 3/4 for the heavy one if a light one came first, and so on; see weighted_order.
    const ranked_pool pool{{1, 1, 2}};
    EXPECT_THAT(pool.deviation(strategy::simple_shuffle, {0.25, 0.25, 0.5}), Le(sigmas));
    const double light = 0.25 / 3 + 0.5 / 2;
    EXPECT_THAT(pool.deviation(strategy::simple_shuffle, {light, light, 1 - 2 * light}, 1), Le(sigmas));
}

TEST(least_busy, prefers_the_fewest_in_flight_whatever_the_weight) {
    RecordProperty("rules", "STG-BUSY-001 STG-BUSY-002 STG-WEIGHT-001");
    ranked_pool pool{{9, 9, 0}};
    pool.values[0].in_flight = 2;
    pool.values[1].in_flight = 1;
    EXPECT_THAT(pool.rank(strategy::least_busy), ElementsAre(2, 1, 0));
}

TEST(usage_based_rpm, prefers_the_fewest_requests_of_the_minute_whatever_the_weight) {
    RecordProperty("rules", "STG-USAGE-001 STG-USAGE-003 STG-WEIGHT-001");
    ranked_pool pool{{9, 9, 0}};
    pool.values[0] = used(2, 0);
    pool.values[1] = used(1, 5);
    pool.values[2] = used(0, 9);
    EXPECT_THAT(pool.rank(strategy::usage_based_rpm), ElementsAre(2, 1, 0));
}

TEST(usage_based_tpm, prefers_the_fewest_tokens_of_the_minute_whatever_the_weight) {
    RecordProperty("rules", "STG-USAGE-002 STG-USAGE-003 STG-WEIGHT-001");
    ranked_pool pool{{9, 9, 0}};
    pool.values[0] = used(0, 200);
    pool.values[1] = used(5, 100);
    pool.values[2] = used(9, 0);
    EXPECT_THAT(pool.rank(strategy::usage_based_tpm), ElementsAre(2, 1, 0));
}

TEST(latency_based, prefers_the_lowest_latency_whatever_the_weight) {
    RecordProperty("rules", "STG-LATENCY-001 STG-WEIGHT-001");
    ranked_pool pool{{9, 0, 1}};
    pool.values[0].latency_ms = 80;
    pool.values[1].latency_ms = 79.5;
    pool.values[2].latency_ms = 1e6;
    EXPECT_THAT(pool.rank(strategy::latency_based), ElementsAre(1, 0, 2));
}

TEST(throughput_based, prefers_the_highest_throughput_whatever_the_weight) {
    RecordProperty("rules", "STG-THROUGHPUT-001 STG-WEIGHT-001");
    ranked_pool pool{{9, 0, 1}};
    pool.values[0].throughput = 80;
    pool.values[1].throughput = 80.5;
    pool.values[2].throughput = 0.1;
    EXPECT_THAT(pool.rank(strategy::throughput_based), ElementsAre(1, 0, 2));
}

// Those without a value come after all with one, drawn by weight, where weight 0 is out
TEST(measured_strategies, rank_those_without_a_value_last_and_draw_among_them) {
    RecordProperty("rules", "STG-LATENCY-003 STG-THROUGHPUT-003 STG-WEIGHT-003");
    for (const auto s : {strategy::latency_based, strategy::throughput_based}) {
        ranked_pool pool{{1, 1, 3, 0, 9}};
        pool.values[0].latency_ms = pool.values[0].throughput = 1e9;
        EXPECT_THAT(pool.rank(s), UnorderedElementsAre(0, 1, 2, 4)) << to_string(s);
        EXPECT_EQ(pool.rank(s).front(), 0) << to_string(s);
        EXPECT_THAT(pool.deviation(s, {0, 1.0 / 13, 3.0 / 13, 0, 9.0 / 13}, 1), Le(sigmas)) << to_string(s);
    }
}

TEST(price_based, prefers_the_lowest_price_whatever_the_weight) {
    RecordProperty("rules", "STG-PRICE-001 STG-WEIGHT-001");
    ranked_pool pool{{9, 0, 1}};
    pool.comparable_prices = true;
    pool.all[0].price = 0.02;
    pool.all[1].price = 0.01;
    pool.all[2].price = 3;
    EXPECT_THAT(pool.rank(strategy::price_based), ElementsAre(1, 0, 2));
}

TEST(price_based, draws_by_weight_if_prices_cannot_be_compared) {
    RecordProperty("rules", "STG-PRICE-003 STG-WEIGHT-003");
    ranked_pool pool{{1, 3, 0}};
    pool.all[0].price = 0.02;
    pool.all[2].price = 0.01;
    EXPECT_THAT(pool.deviation(strategy::price_based, {0.25, 0.75, 0}), Le(sigmas));
}

TEST(health_aware, ranks_by_success_rate_times_weight) {
    RecordProperty("rules", "STG-HEALTH-001");
    ranked_pool pool{{2, 4, 3}};
    pool.values[0] = recorded(9, 1); // 1.8
    pool.values[1] = recorded(2, 2); // 2
    pool.values[2] = recorded(1, 1); // 1.5
    EXPECT_THAT(pool.rank(strategy::health_aware), ElementsAre(1, 0, 2));
}

TEST(health_aware, takes_a_half_for_a_deployment_without_record) {
    RecordProperty("rules", "STG-HEALTH-003");
    ranked_pool pool{{100, 100, 100}};
    pool.values[0] = recorded(51, 49);
    pool.values[2] = recorded(49, 51);
    EXPECT_THAT(pool.rank(strategy::health_aware), ElementsAre(0, 1, 2));
}

TEST(health_aware, keeps_one_that_always_failed_as_the_last_candidate) {
    RecordProperty("rules", "STG-HEALTH-004 STG-ELIGIBLE-001");
    ranked_pool pool{{1, 1'000'000}};
    pool.values[1].failed = 7;
    EXPECT_THAT(pool.rank(strategy::health_aware), ElementsAre(0, 1));
}

TEST(health_aware, never_takes_weight_0) {
    RecordProperty("rules", "STG-WEIGHT-002");
    ranked_pool pool{{0, 1}};
    pool.values[0].successes = 7;
    pool.values[1].failed = 7;
    EXPECT_THAT(pool.rank(strategy::health_aware), ElementsAre(1));
    pool.values[1] = {};
    EXPECT_THAT(pool.rank(strategy::health_aware), ElementsAre(1));
}

// A record of somebody who cannot be admitted is no reason to let 0.5 times weight decide among the others
TEST(health_aware, draws_by_weight_if_only_ineligible_ones_have_records) {
    RecordProperty("rules", "STG-HEALTH-005");
    ranked_pool pool{{1, 3, 5}};
    pool.values[2].successes = 7;
    pool.refuse(2);
    EXPECT_THAT(pool.deviation(strategy::health_aware, {0.25, 0.75, 0}), Le(sigmas));
    EXPECT_THAT(pool.deviation(strategy::health_aware, {0, 0, 1}, 2), Le(sigmas));
}

// A record decides, so that 3 * 0.5 comes before 1 * 1 always
TEST(health_aware, does_not_draw_once_an_eligible_one_has_a_record) {
    RecordProperty("rules", "STG-HEALTH-001 STG-HEALTH-003");
    ranked_pool pool{{1, 3}};
    pool.values[0].successes = 7;
    EXPECT_THAT(pool.deviation(strategy::health_aware, {0, 1}), Le(sigmas));
}

TEST(ranking, puts_the_eligible_first_and_ranks_the_others_likewise) {
    RecordProperty("rules", "STG-ORDER-001");
    for (const auto s : every) {
        ranked_pool pool{{1, 1, 1, 1}};
        pool.comparable_prices = true;
        // The later, the better; the two best cannot be admitted.
        for (std::size_t i = 0; i < 4; ++i) {
            auto& v = pool.values[i];
            v.in_flight = static_cast<std::uint32_t>(9 - i);
            v.rpm = v.tpm = 9 - i;
            v.latency_ms = pool.all[i].price = 9 - static_cast<double>(i);
            v.throughput = static_cast<double>(i);
            v.successes = i;
            v.failed = 9 - i;
        }
        pool.refuse(2);
        pool.refuse(3);
        if (s == strategy::simple_shuffle) {
            EXPECT_THAT(pool.deviation(s, {0.5, 0.5, 0, 0}), Le(sigmas));
            EXPECT_THAT(pool.deviation(s, {0, 0, 0.5, 0.5}, 3), Le(sigmas));
        } else {
            EXPECT_THAT(pool.rank(s), ElementsAre(1, 0, 3, 2)) << to_string(s);
        }
    }
}

TEST(ranking, takes_weight_0_out_of_both_parts) {
    RecordProperty("rules", "STG-WEIGHT-003");
    for (const auto s : drawing) {
        ranked_pool pool{{0, 1, 0, 1}};
        pool.refuse(2);
        pool.refuse(3);
        EXPECT_THAT(pool.rank(s), ElementsAre(1, 3)) << to_string(s);
    }
}

TEST(ties, are_broken_uniformly_whatever_the_weight) {
    RecordProperty("rules", "STG-TIE-001");
    for (const auto s : {strategy::least_busy, strategy::usage_based_rpm, strategy::usage_based_tpm,
                         strategy::latency_based, strategy::throughput_based, strategy::price_based}) {
        ranked_pool pool{{1, 3, 5}};
        pool.comparable_prices = true;
        for (std::size_t i = 0; i < 3; ++i) {
            pool.values[i] = used(1, 1);
            pool.values[i].in_flight = 1;
            pool.values[i].latency_ms = pool.values[i].throughput = 1;
            pool.all[i].price = 1;
        }
        for (std::size_t place = 0; place < 3; ++place) {
            EXPECT_THAT(pool.deviation(s, thirds, place), Le(sigmas)) << to_string(s) << " at " << place;
        }
    }
}

// Weights 1, 2 and 4 with rates of 0.8, 0.4 and 0.2 are worth the same
TEST(ties, of_health_aware_are_products_that_are_equal) {
    RecordProperty("rules", "STG-TIE-001");
    ranked_pool pool{{1, 2, 4}};
    pool.values[0] = recorded(4, 1);
    pool.values[1] = recorded(2, 3);
    pool.values[2] = recorded(1, 4);
    for (std::size_t place = 0; place < 3; ++place) {
        EXPECT_THAT(pool.deviation(strategy::health_aware, thirds, place), Le(sigmas)) << place;
    }
}

TEST(ties, behind_a_better_one_are_broken_among_themselves) {
    RecordProperty("rules", "STG-TIE-001");
    ranked_pool pool{{1, 1, 1, 1}};
    pool.values[0].in_flight = pool.values[1].in_flight = pool.values[3].in_flight = 1;
    EXPECT_THAT(pool.deviation(strategy::least_busy, {0, 0, 1, 0}), Le(sigmas));
    for (std::size_t place = 1; place < 4; ++place) {
        EXPECT_THAT(pool.deviation(strategy::least_busy, {1.0 / 3, 1.0 / 3, 0, 1.0 / 3}, place), Le(sigmas)) << place;
    }
}

// More than there is room for without memory of one's own
TEST(ranking, of_a_large_pool_is_a_permutation_in_order) {
    ranked_pool pool{std::vector<std::uint32_t>(3000, 1)};
    for (std::size_t i = 0; i < 3000; ++i) pool.values[i].latency_ms = static_cast<double>((i * 7919) % 3000);
    const auto ranked = pool.rank(strategy::latency_based);
    ASSERT_EQ(ranked.size(), 3000U);
    for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(pool.values[ranked[i]].latency_ms, static_cast<double>(i));

    auto drawn = pool.rank(strategy::simple_shuffle);
    ASSERT_FALSE(std::is_sorted(drawn.begin(), drawn.end()));
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(drawn[i], i);
}

// Some of the plan only: other pools and those that were tried are not touched
TEST(ranking, orders_only_what_it_is_given) {
    ranked_pool pool{{1, 1, 1, 1}};
    pool.values[1].in_flight = 5;
    std::pmr::vector<position> positions{1, 3};
    base::splitmix random{1};
    rank(strategy::least_busy, pool.view(), positions, random);
    EXPECT_THAT(positions, ElementsAre(3, 1));
    positions.clear();
    rank(strategy::least_busy, pool.view(), positions, random);
    EXPECT_THAT(positions, ElementsAre());
}

} // namespace
} // namespace turnout::routing
