#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include "routing/standing.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

standing known() {
    standing s;
    s.known = true;
    return s;
}

standing refused(obstacle why, base::instant until = {}, bool configuration = false) {
    standing s = known();
    s.last = {.why = why, .configuration = configuration, .until = until};
    return s;
}

shortage why(const std::vector<standing>& pool) { return why_unserved(pool, pool).why; }

TEST(why_unserved, is_nobody_if_the_state_was_not_asked_about_anybody) {
    EXPECT_EQ(why({}), shortage::nobody);
    EXPECT_EQ(why({standing{}, standing{}}), shortage::nobody);
    EXPECT_EQ(why_unserved({}, {}).earliest, std::nullopt);
}

TEST(why_unserved, is_nobody_if_nothing_is_in_the_way) {
    EXPECT_EQ(why({known()}), shortage::nobody);
    const std::vector<standing> open{known()};
    EXPECT_EQ(why_unserved(open, open).earliest, std::nullopt);
}

TEST(why_unserved, tells_circuits_from_limits) {
    EXPECT_EQ(why({refused(obstacle::circuit), refused(obstacle::probe)}), shortage::circuits);
    EXPECT_EQ(why({refused(obstacle::limit), refused(obstacle::limit)}), shortage::limits);
    EXPECT_EQ(why({refused(obstacle::capacity)}), shortage::limits);
}

TEST(why_unserved, is_limits_for_a_mixture) {
    EXPECT_EQ(why({refused(obstacle::circuit), refused(obstacle::limit)}), shortage::limits);
    EXPECT_EQ(why({refused(obstacle::capacity), refused(obstacle::probe)}), shortage::limits);
    EXPECT_EQ(why({refused(obstacle::circuit, {}, true), refused(obstacle::capacity)}), shortage::limits);
}

TEST(why_unserved, is_misconfigured_only_if_every_circuit_is) {
    EXPECT_EQ(why({refused(obstacle::circuit, {}, true), refused(obstacle::probe, {}, true)}), shortage::misconfigured);
    EXPECT_EQ(why({refused(obstacle::circuit, {}, true), refused(obstacle::circuit)}), shortage::circuits);
    EXPECT_EQ(why({refused(obstacle::circuit), refused(obstacle::circuit, {}, true)}), shortage::circuits);
    EXPECT_EQ(why({refused(obstacle::circuit, {}, true), standing{}}), shortage::misconfigured);
}

// The pool says why; pools behind it may be admissible sooner
TEST(why_unserved, names_the_earliest_moment_of_all) {
    const std::vector<standing> all{refused(obstacle::circuit, base::instant{9s}),
                                    refused(obstacle::circuit, base::instant{7s}),
                                    refused(obstacle::limit, base::instant{4s}), standing{}};
    const auto unserved = why_unserved(std::span(all).first(2), all);
    EXPECT_EQ(unserved.why, shortage::circuits);
    EXPECT_EQ(unserved.earliest, base::instant{4s});
    EXPECT_EQ(why_unserved(std::span(all).first(2), std::span(all).first(2)).earliest, base::instant{7s});
}

} // namespace
} // namespace turnout::routing
