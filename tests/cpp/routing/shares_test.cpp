// Shares of first places over 100,000 decisions, within 5 standard deviations, for three seeds.
//
// What the bound can see: of n draws with share p a count has a standard deviation of sqrt(n p (1 - p)). A weight that
// is 5 % too large moves its share by about 0.05 p (1 - p), that is by 0.05 sqrt(n p (1 - p)) deviations. For n =
// 100,000 that is 7.9 for p = 1/2, 7.5 for p = 1/3, and 6.8 for p = 1/4: beyond the bound of 5, and chance takes the
// missing 2.9 (2.5) back once in 500 (160) seeds. Below p = 0.12 even the expected distance is within the bound, so
// that the weight that is changed here has half of the pool.

#include <algorithm>

#include <gmock/gmock.h>

#include "routing/ranking_fixture.hpp"

namespace turnout::routing {
namespace {

using testing::Gt;
using testing::Le;

constexpr std::size_t decisions = 100'000;
constexpr double bound = 5;

class shares : public testing::TestWithParam<std::uint64_t> {
protected:
    /// Deviation of the counts for `weights` from the shares that `expected` would give.
    static double measure(strategy s, const std::vector<std::uint32_t>& weights,
                          const std::vector<std::uint32_t>& expected) {
        const auto total = std::accumulate(expected.begin(), expected.end(), 0.0);
        std::vector<double> parts(expected.size());
        std::transform(expected.begin(), expected.end(), parts.begin(), [&](auto w) { return w / total; });
        return deviation(ranked_pool{weights}.count(s, decisions, GetParam()), parts, decisions);
    }
};

TEST_P(shares, of_simple_shuffle_are_those_of_the_weights) {
    RecordProperty("rules", "STG-SHARE-001");
    const std::vector<std::uint32_t> weights{200, 300, 500};
    EXPECT_THAT(measure(strategy::simple_shuffle, weights, weights), Le(bound));
    EXPECT_THAT(measure(strategy::simple_shuffle, {200, 300, 525}, weights), Gt(bound));
    EXPECT_THAT(measure(strategy::simple_shuffle, {200, 300, 475}, weights), Gt(bound));
}

TEST_P(shares, of_health_aware_without_record_are_those_of_the_weights) {
    RecordProperty("rules", "STG-SHARE-002");
    const std::vector<std::uint32_t> weights{200, 300, 500};
    EXPECT_THAT(measure(strategy::health_aware, weights, weights), Le(bound));
    EXPECT_THAT(measure(strategy::health_aware, {200, 300, 525}, weights), Gt(bound));
    EXPECT_THAT(measure(strategy::health_aware, {200, 300, 475}, weights), Gt(bound));
}

// Whatever the weights are, tied deployments share equally: no expectation in which one counts 5 % more holds
TEST_P(shares, of_a_tie_are_equal) {
    RecordProperty("rules", "STG-SHARE-003");
    for (const auto& weights : {std::vector<std::uint32_t>{1, 1, 1}, {200, 300, 500}}) {
        EXPECT_THAT(measure(strategy::least_busy, weights, {20, 20, 20}), Le(bound));
        EXPECT_THAT(measure(strategy::least_busy, weights, {20, 20, 21}), Gt(bound));
        EXPECT_THAT(measure(strategy::least_busy, weights, {21, 20, 20}), Gt(bound));
    }
}

INSTANTIATE_TEST_SUITE_P(seeds, shares, testing::Values(1, 2, 3));

} // namespace
} // namespace turnout::routing
