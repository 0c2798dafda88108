#include <limits>

#include <gmock/gmock.h>

#include "routing/price.hpp"

namespace turnout::routing {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

pricing tokens(double input, double output) {
    return {.input_cents_per_mtokens = input, .output_cents_per_mtokens = output, .search_unit_cents = {}};
}

pricing input_only(double cents) {
    return {.input_cents_per_mtokens = cents, .output_cents_per_mtokens = {}, .search_unit_cents = {}};
}

pricing output_only(double cents) {
    return {.input_cents_per_mtokens = {}, .output_cents_per_mtokens = cents, .search_unit_cents = {}};
}

pricing units(double cents) {
    return {.input_cents_per_mtokens = {}, .output_cents_per_mtokens = {}, .search_unit_cents = cents};
}

pricing both(double input, double output, double search) {
    return {.input_cents_per_mtokens = input, .output_cents_per_mtokens = output, .search_unit_cents = search};
}

std::optional<std::vector<double>> priced(const std::vector<pricing>& pool, bool rerank) {
    return comparable_prices(pool, rerank);
}

TEST(prices, outside_rerank_are_input_plus_output) {
    RecordProperty("rules", "STG-PRICE-004");
    EXPECT_THAT(priced({tokens(10, 30), tokens(25, 5), tokens(0, 0)}, false), Optional(ElementsAre(40, 30, 0)));
}

TEST(prices, outside_rerank_are_not_made_of_search_units) {
    RecordProperty("rules", "STG-PRICE-004");
    EXPECT_THAT(priced({both(10, 30, 1), tokens(25, 5)}, false), Optional(ElementsAre(40, 30)));
    EXPECT_EQ(priced({units(1), units(2)}, false), std::nullopt);
}

TEST(prices, are_not_comparable_if_one_is_unknown) {
    RecordProperty("rules", "STG-PRICE-003");
    for (const bool rerank : {false, true}) {
        EXPECT_EQ(priced({tokens(1, 2), {}}, rerank), std::nullopt);
        EXPECT_EQ(priced({{}, tokens(1, 2)}, rerank), std::nullopt);
        EXPECT_EQ(priced({{}, {}}, rerank), std::nullopt);
        EXPECT_EQ(priced({tokens(1, 2), input_only(std::numeric_limits<double>::infinity())}, rerank), std::nullopt);
        EXPECT_EQ(priced({tokens(1, std::numeric_limits<double>::quiet_NaN())}, rerank), std::nullopt);
    }
}

TEST(prices, for_tokens_are_known_if_both_parts_are) {
    RecordProperty("rules", "STG-PRICE-007");
    for (const bool rerank : {false, true}) {
        EXPECT_EQ(priced({tokens(1, 2), input_only(1)}, rerank), std::nullopt);
        EXPECT_EQ(priced({output_only(1), tokens(1, 2)}, rerank), std::nullopt);
        EXPECT_EQ(priced({input_only(1), input_only(2)}, rerank), std::nullopt);
        EXPECT_THAT(priced({tokens(1, 0), tokens(0, 0)}, rerank), Optional(ElementsAre(1, 0)));
    }
}

TEST(prices, in_rerank_are_those_of_the_single_basis) {
    RecordProperty("rules", "STG-PRICE-005");
    EXPECT_THAT(priced({units(0.2), units(0.1), units(0)}, true), Optional(ElementsAre(0.2, 0.1, 0)));
    EXPECT_THAT(priced({tokens(10, 0), tokens(5, 6)}, true), Optional(ElementsAre(10, 11)));
}

TEST(prices, in_rerank_are_not_comparable_across_bases) {
    RecordProperty("rules", "STG-PRICE-006");
    EXPECT_EQ(priced({units(0.2), tokens(1, 2)}, true), std::nullopt);
    EXPECT_EQ(priced({tokens(1, 2), units(0.2)}, true), std::nullopt);
    EXPECT_EQ(priced({units(0.2), units(0.1), {}}, true), std::nullopt);
}

TEST(prices, in_rerank_are_not_comparable_if_one_deployment_combines_bases) {
    RecordProperty("rules", "STG-PRICE-006");
    EXPECT_EQ(priced({both(1, 2, 0.1), both(1, 2, 0.2)}, true), std::nullopt);
    EXPECT_EQ(priced({units(0.2), both(1, 2, 0.1)}, true), std::nullopt);
    EXPECT_EQ(priced({tokens(1, 2), both(1, 2, 0.1)}, true), std::nullopt);
    auto with_half = units(0.1);
    with_half.input_cents_per_mtokens = 1;
    EXPECT_EQ(priced({units(0.2), with_half}, true), std::nullopt);
}

// 0.1 + 0.2 and 0.3 differ as sums of binary fractions
TEST(prices, that_are_equal_on_paper_are_equal) {
    RecordProperty("rules", "STG-TIE-002");
    const auto prices = priced({tokens(0.1, 0.2), tokens(0.3, 0)}, false);
    ASSERT_TRUE(prices);
    EXPECT_EQ((*prices)[0], (*prices)[1]);
    const auto close = priced({tokens(0.1, 0.2), tokens(0.300001, 0)}, false);
    ASSERT_TRUE(close);
    EXPECT_LT((*close)[0], (*close)[1]);
}

TEST(prices, of_an_empty_pool_are_none) {
    EXPECT_THAT(priced({}, false), Optional(IsEmpty()));
    EXPECT_THAT(priced({}, true), Optional(IsEmpty()));
}

} // namespace
} // namespace turnout::routing
