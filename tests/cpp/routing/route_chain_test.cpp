// Fallbacks: which chain a request goes to, and how it walks along it.
#include <chrono>
#include <vector>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using enum route_action_type;

/// A pool of two with one hop of one for each reason: 2 general, 3 context window, 4 content policy.
routes every_chain() {
    return routes({{1, 1}, {1}, {1}, {1}})
        .general({1})
        .chain(fallback_reason::context_window, {2})
        .chain(fallback_reason::content_policy, {3});
}

// What is not about the request's own content leads to the general chain, once the pool has nothing more
class general_reason : public testing::TestWithParam<base::failure_report> {};

TEST_P(general_reason, leads_to_the_general_chain_after_the_pool) {
    driven fix(every_chain(), {.max_attempts = 5});
    fix.begin_request();
    fix.fail(GetParam());
    EXPECT_EQ(fix.fsm.chain(), std::nullopt);
    EXPECT_EQ(fix.fail(GetParam()).type, start_attempt);
    EXPECT_EQ(fix.action.target, 2);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::general);
    EXPECT_EQ(fix.fsm.asked(), (pool_range{.begin = 2, .end = 3}));
    fix.succeed();
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
}

INSTANTIATE_TEST_SUITE_P(after, general_reason,
                         testing::Values(status(500), asks_to_wait(429, 61s), status(401), unfit(),
                                         stopped_by(failure_origin::idle_timeout)));

// Circuits and limits lead there too, and cost nothing
TEST(route_chain, of_the_general_reason_follows_a_pool_without_an_eligible_deployment) {
    driven fix(every_chain());
    fix.block(0, obstacle::circuit);
    fix.block(1, obstacle::limit);
    EXPECT_EQ(fix.begin_request().target, 2);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::general);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
}

TEST(route_chain, of_the_general_reason_follows_a_pool_of_weightless_deployments) {
    driven fix(routes({{0, 0}, {1}}).general({1}));
    EXPECT_EQ(fix.begin_request().target, 2);
}

TEST(route_chain, of_the_general_reason_stands_in_for_a_pool_where_nobody_carries_the_request) {
    driven fix(routes({{}, {1}}).general({1}), {.max_attempts = 2});
    EXPECT_EQ(fix.begin_request().target, 0);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::general);
    EXPECT_EQ(fix.fail(status(500)).type, wait) << "rounds pass over the empty pool";

    driven blocked(routes({{}, {1}}).general({1}));
    blocked.block(0, obstacle::limit);
    EXPECT_EQ(blocked.begin_request().type, finish);
    EXPECT_EQ(blocked.outcome().shortfall, shortage::limits);
}

// A context-window or content-policy answer ends its pool at once, whatever failed before
TEST(route_chain, of_the_context_window_follows_at_once) {
    driven fix(every_chain());
    fix.begin_request();
    EXPECT_EQ(fix.fail(too_long()).target, 3);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::context_window);
}

TEST(route_chain, of_the_content_policy_follows_at_once) {
    driven fix(every_chain());
    fix.begin_request();
    EXPECT_EQ(fix.fail(forbidden()).target, 4);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::content_policy);
}

TEST(route_chain, is_chosen_by_the_answer_that_ended_the_pool) {
    driven fix(every_chain(), {.max_attempts = 5});
    fix.begin_request();
    fix.fail(status(500));
    EXPECT_EQ(fix.fail(forbidden()).target, 4);
}

// The reason is looked up exactly: the general chain is no substitute for a missing one
TEST(route_chain, of_another_reason_is_no_substitute) {
    driven fix(routes({{1, 1}, {1}, {1}}).general({1}).chain(fallback_reason::content_policy, {2}));
    fix.begin_request();
    EXPECT_EQ(fix.fail(too_long()).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
    EXPECT_EQ(fix.fsm.chain(), std::nullopt);
}

TEST(route_chain, of_a_special_reason_does_not_follow_a_general_failure) {
    driven fix(routes({{1}, {1}}).chain(fallback_reason::context_window, {1}), {.max_attempts = 2});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).type, wait);
}

// Hops follow one another in order, each with a first pass over its own pool
TEST(route_chain, is_walked_in_order) {
    RecordProperty("rules", "FBK-HOP-001");
    driven fix(routes({{1}, {1, 1}, {1}}).general({2, 1}), {.max_attempts = 20});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).target, 3);
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_THAT((std::vector{fix.asked()[2], fix.asked()[3]}), UnorderedElementsAre(1, 2));
    EXPECT_EQ(fix.fail(status(500)).type, wait); // everybody has been asked once
}

TEST(route_chain, passes_over_a_hop_without_an_eligible_deployment) {
    driven fix(routes({{1}, {1}, {1}}).general({1, 2}));
    fix.block(1, obstacle::capacity);
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).target, 2);
    EXPECT_EQ(fix.fsm.attempts_left(), 1U);
}

// A hop's own values rank its deployments
TEST(route_chain, reads_the_values_of_each_hop) {
    driven fix(routes({{1}, {1, 1, 1}}).general({1}), {.how = strategy::least_busy});
    fix.values.resize(4);
    fix.values[1].in_flight = 5;
    fix.values[2].in_flight = 4;
    fix.values[3].in_flight = 6;
    EXPECT_EQ(fix.begin_request().target, 0);
    EXPECT_EQ(fix.fail(status(500)).target, 2);
    EXPECT_EQ(fix.reads, 1U);
}

// The budget is one for the pool and every hop
TEST(route_chain, ends_with_the_budget) {
    RecordProperty("rules", "FBK-BUDGET-001");
    driven fix(routes({{1}, {1}, {1}}).general({1, 2}), {.max_attempts = 2});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).target, 1);
    EXPECT_EQ(fix.fail(status(502)).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 1U);
}

// On a hop such an answer moves to the next hop, of the chain that was chosen already
TEST(route_chain, moves_to_the_next_hop_after_a_context_answer_on_a_hop) {
    driven fix(routes({{1}, {1, 1}, {1}, {1}}).general({1, 2}).chain(fallback_reason::context_window, {3}),
               {.max_attempts = 5});
    fix.begin_request();
    EXPECT_THAT(fix.fail(status(500)).target, testing::AnyOf(1, 2));
    EXPECT_EQ(fix.fail(too_long()).target, 3);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::general);
}

TEST(route_chain, moves_along_a_content_policy_chain_after_a_policy_answer_on_a_hop) {
    driven fix(routes({{1}, {1, 1}, {1}}).chain(fallback_reason::content_policy, {1, 2}), {.max_attempts = 5});
    fix.begin_request();
    fix.fail(forbidden());
    EXPECT_EQ(fix.fail(forbidden()).target, 3);
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
}

// Its pool is over for good: no round of reuse comes back to it
TEST(route_chain, leaves_a_hop_that_gave_such_an_answer_for_good) {
    driven fix(routes({{1}, {1, 1}}).general({1}), {.max_attempts = 4});
    fix.begin_request();
    fix.fail(status(500));
    EXPECT_EQ(fix.fail(too_long()).type, wait);
    EXPECT_EQ(fix.wait_out().target, 0);
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_EQ(fix.wait_out().target, 0);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
}

// A plain Request failure ends the logical request wherever it happens
TEST(route_chain, ends_with_a_request_failure_on_a_hop) {
    driven fix(routes({{1}, {1, 1}, {1}}).general({1, 2}), {.max_attempts = 5});
    fix.begin_request();
    fix.fail(status(500));
    EXPECT_EQ(fix.fail(status(422)).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 1U);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
}

// After a context-window or content-policy chain nothing is reused
TEST(route_chain, of_a_special_reason_is_followed_by_no_reuse) {
    RecordProperty("rules", "FBK-HOP-006");
    driven fix(routes({{1, 1}, {1}}).chain(fallback_reason::context_window, {1}), {.max_attempts = 20});
    fix.begin_request();
    fix.fail(too_long());
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 1U);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(2));
}

TEST(route_chain, of_a_special_reason_whose_hops_are_not_eligible_leaves_the_answer_that_led_there) {
    driven fix(routes({{1, 1}, {1}}).chain(fallback_reason::context_window, {1}), {.max_attempts = 20});
    fix.block(2, obstacle::circuit);
    fix.begin_request();
    EXPECT_EQ(fix.fail(too_long()).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
}

// In a round of reuse: the first such answer of the primary still chooses a chain; once one was chosen, it ends the
// request
TEST(route_chain, may_be_chosen_in_a_round_of_reuse) {
    driven fix(routes({{1}, {1}}).chain(fallback_reason::context_window, {1}), {.max_attempts = 4});
    fix.begin_request();
    fix.fail(status(500));
    fix.wait_out();
    EXPECT_EQ(fix.fail(too_long()).target, 1);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
}

TEST(route_chain, is_chosen_once) {
    driven fix(routes({{1}, {1}, {1}}).general({1}).chain(fallback_reason::context_window, {2}), {.max_attempts = 5});
    fix.begin_request();
    fix.fail(status(500));
    fix.fail(status(500));
    EXPECT_EQ(fix.wait_out().target, 0);
    EXPECT_EQ(fix.fail(too_long()).type, finish);
    EXPECT_EQ(fix.fsm.chain(), fallback_reason::general);
    EXPECT_EQ(fix.outcome().deciding, 2U);
}

// Nothing is started once the client has seen something, chain or not
TEST(route_chain, is_not_reached_after_the_commit) {
    driven fix(every_chain());
    fix.begin_request();
    fix.tell(attempt_committed{});
    EXPECT_EQ(fix.fail(too_long()).type, finish);
    EXPECT_TRUE(fix.fsm.committed());
}

// A hop serves: the attempts of the primary stay on record
TEST(route_chain, keeps_every_attempt_on_record) {
    driven fix(every_chain());
    fix.begin_request();
    fix.fail(status(500));
    fix.fail(status(503));
    fix.succeed();
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(3));
    EXPECT_EQ(fix.outcome().deciding, 2U);
}

} // namespace
} // namespace turnout::routing
