// Rounds of reuse: in which order deployments are asked again.
#include <chrono>
#include <vector>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using enum route_action_type;

/// Fails every attempt with `report`, and waits whenever that is wanted, until the request ends.
std::vector<position> fail_to_the_end(driven& fix, const base::failure_report& report) {
    while (fix.action.type != finish) {
        if (fix.action.type == wait)
            fix.wait_out();
        else
            fix.fail(report);
    }
    return fix.asked();
}

std::vector<position> part(const std::vector<position>& all, std::size_t from, std::size_t count) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// A pool of one is asked until the budget is spent
TEST(route_reuse, asks_the_only_deployment_again) {
    driven fix({{1}});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
    EXPECT_EQ(fix.wait_out().type, start_attempt);
    EXPECT_EQ(fix.fsm.attempts_left(), 1U);
    fix.succeed();
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
    EXPECT_EQ(fix.outcome().deciding, 1U);
}

TEST(route_reuse, ends_with_the_budget) {
    driven fix({{1}}, {.max_attempts = 3});
    fix.begin_request();
    EXPECT_THAT(fail_to_the_end(fix, status(500)), ElementsAre(0, 0, 0));
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 2U);
}

// Each deployment at most once a round
TEST(route_reuse, asks_each_deployment_once_a_round) {
    driven fix({{1, 1, 1}}, {.max_attempts = 9});
    fix.begin_request();
    const auto asked = fail_to_the_end(fix, status(500));
    ASSERT_THAT(asked, SizeIs(9));
    for (const std::size_t round : {0U, 3U, 6U}) EXPECT_THAT(part(asked, round, 3), UnorderedElementsAre(0, 1, 2));
}

// A round goes over the primary pool first, then over the hops
TEST(route_reuse, goes_over_the_primary_and_then_over_the_hops) {
    driven fix(routes({{1, 1}, {1}, {1}}).general({2, 1}), {.max_attempts = 12});
    fix.begin_request();
    const auto asked = fail_to_the_end(fix, status(500));
    ASSERT_THAT(asked, SizeIs(12));
    for (const std::size_t round : {0U, 4U, 8U}) {
        EXPECT_THAT(part(asked, round, 2), UnorderedElementsAre(0, 1));
        EXPECT_THAT(part(asked, round + 2, 2), ElementsAre(3, 2));
    }
}

// Nothing is reused while an eligible deployment of its pool is untried
TEST(route_reuse, asks_the_untried_first_and_without_a_wait) {
    driven fix(routes({{1, 1}, {1}}).general({1}), {.max_attempts = 4});
    fix.block(0, obstacle::limit, 10s);
    EXPECT_EQ(fix.begin_request().target, 1);
    EXPECT_EQ(fix.fail(status(500)).target, 2);
    fix.now += 10s;
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_EQ(fix.action.target, 0);
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.action.target, 1); // 0 has had its turn in this round
}

TEST(route_reuse, asks_the_untried_that_the_first_pass_left_to_keep_the_chain_an_attempt) {
    driven fix(routes({{1, 1, 1}, {1}}).chain(fallback_reason::content_policy, {1}), {.max_attempts = 3});
    fix.begin_request();
    fix.fail(status(500));
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_THAT(fix.asked(), UnorderedElementsAre(0, 1, 2));
}

// Also if it becomes eligible during a wait for another
TEST(route_reuse, asks_the_untried_that_became_eligible_during_a_wait) {
    RecordProperty("rules", "RTY-ROUND-006");
    driven fix({{1, 1}}, {.max_attempts = 4});
    fix.block(0, obstacle::limit, 300ms);
    EXPECT_EQ(fix.begin_request().target, 1);
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.action.target, 1);
    EXPECT_EQ(fix.wait_out().target, 0);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);

    // the other has been waited for already
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_EQ(fix.action.target, 1);
    EXPECT_EQ(fix.fail(status(500)).type, wait); // but now not
}

TEST(route_reuse, does_not_ask_the_untried_that_stay_ineligible) {
    driven fix({{1, 1}}, {.max_attempts = 4});
    fix.block(0, obstacle::limit);
    fix.begin_request();
    EXPECT_THAT(fail_to_the_end(fix, status(500)), ElementsAre(1, 1, 1, 1));
}

// Who is not eligible is passed over, and comes back when it is
TEST(route_reuse, passes_over_the_ineligible_for_a_round) {
    driven fix({{1, 1}}, {.max_attempts = 5});
    fix.begin_request();
    fix.fail(status(500));
    const position second = fix.action.target;
    const auto first = static_cast<position>(1 - second);
    fix.block(first, obstacle::limit);
    EXPECT_EQ(fix.fail(status(500)).target, second);
    EXPECT_EQ(fix.wait_out().target, second);
    fix.unblock(first);
    EXPECT_EQ(fix.fail(status(500)).target, first);
}

// A race lost after the wait costs nothing and repeats the choice; the loser has had its turn
TEST(route_reuse, repeats_the_choice_after_a_lost_race) {
    driven fix({{1, 1}}, {.max_attempts = 4});
    fix.begin_request();
    fix.fail(status(500));
    fix.fail(status(500));
    const position loser = fix.action.target;
    fix.now = fix.action.until;
    fix.tell(waited{});
    EXPECT_EQ(fix.answer().type, admit);
    fix.block(loser, obstacle::probe, 1s);
    fix.answer();
    while (fix.action.type != wait) fix.answer();
    EXPECT_EQ(fix.action.target, 1 - loser);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
}

TEST(route_reuse, ends_if_the_last_one_loses_a_race) {
    driven fix({{1}});
    fix.begin_request();
    fix.fail(status(500));
    fix.now = fix.action.until;
    fix.tell(waited{});
    fix.answer();
    fix.block(0, obstacle::limit);
    while (fix.action.type != finish) fix.answer();
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(1));
}

// What cannot carry the request is never asked again
TEST(route_reuse, never_asks_the_incompatible_again) {
    driven fix({{1, 1}}, {.max_attempts = 6});
    const auto unfitting = fix.begin_request().target;
    fix.fail(unfit());
    const auto asked = fail_to_the_end(fix, status(500));
    EXPECT_THAT(part(asked, 1, 5), Each(1 - unfitting));
}

TEST(route_reuse, ends_if_everybody_is_incompatible) {
    driven fix({{1, 1}}, {.max_attempts = 6});
    fix.begin_request();
    fix.fail(unfit());
    EXPECT_EQ(fix.fail(unfit()).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 1U);
}

// Its own open circuit ends the rounds at once, however soon that would end
TEST(route_reuse, does_not_wait_for_its_own_circuit) {
    driven fix({{1}}, {.max_attempts = 6});
    fix.begin_request();
    fix.block(0, obstacle::circuit, 1ns);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
}

TEST(route_reuse, asks_a_configuration_failure_again_only_if_its_circuit_lets_it) {
    driven fix({{1}}, {.max_attempts = 2});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(401)).type, wait);

    driven quarantined({{1}}, {.max_attempts = 2});
    quarantined.begin_request();
    quarantined.block(0, obstacle::circuit);
    EXPECT_EQ(quarantined.fail(status(401)).type, finish);
}

// Only the first failure of a deployment counts towards its circuit
TEST(route_reuse, counts_one_failure_of_a_deployment) {
    driven fix({{1, 1}}, {.max_attempts = 5});
    fix.begin_request();
    fail_to_the_end(fix, status(500));
    std::vector<bool> counts;
    for (const auto& a : fix.fsm.attempts()) counts.push_back(a.counts);
    EXPECT_THAT(counts, ElementsAre(true, true, false, false, false));
    EXPECT_FALSE(fix.fsm.last_settlement().counts);
}

TEST(route_reuse, counts_the_first_failure_after_throttles) {
    driven fix({{1}}, {.max_attempts = 3});
    fix.begin_request();
    fix.fail(status(429));
    fix.wait_out();
    fix.fail(status(500));
    EXPECT_TRUE(fix.fsm.last_attempt().counts);
    EXPECT_EQ(fix.fsm.last_settlement().effect, attempt_effect::transient);
}

// The weightless stay out of it
TEST(route_reuse, never_asks_the_weightless) {
    for (const auto how : {strategy::simple_shuffle, strategy::price_based, strategy::health_aware}) {
        driven fix({{0, 1}}, {.how = how, .max_attempts = 4});
        fix.begin_request();
        EXPECT_THAT(fail_to_the_end(fix, status(500)), Not(Contains(0)));
    }
}

} // namespace
} // namespace turnout::routing
