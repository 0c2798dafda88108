// The first pass over the primary pool: whom it asks, how often, and what it costs.
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using enum route_action_type;

// A pool of one that answers: admit, attempt, commit, settle, finish
TEST(route_pass, serves_a_stream_from_the_only_deployment) {
    // Setup
    driven fix({{1}});

    // Simulate
    EXPECT_EQ(fix.tell(begun{}).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(0));
    EXPECT_EQ(fix.answer().type, start_attempt);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
    fix.now += 100ms;
    EXPECT_FALSE(fix.fsm.committed());
    EXPECT_EQ(fix.tell(attempt_committed{}).type, commit);
    EXPECT_TRUE(fix.fsm.committed());
    fix.now += 50ms;
    EXPECT_EQ(fix.tell(attempt_succeeded{}).type, settle);
    EXPECT_EQ(fix.action.target, 0);
    EXPECT_EQ(fix.fsm.last_settlement().effect, attempt_effect::success);
    EXPECT_EQ(fix.fsm.last_settlement().took, 150ms);
    EXPECT_EQ(fix.tell(settled{}).type, finish);

    // What is left on record
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
    EXPECT_EQ(fix.outcome().deciding, 0U);
    ASSERT_THAT(fix.fsm.attempts(), SizeIs(1));
    EXPECT_TRUE(fix.fsm.last_attempt().ok);
    EXPECT_TRUE(fix.fsm.last_attempt().committed);
    EXPECT_FALSE(fix.fsm.last_attempt().probe);
    EXPECT_EQ(fix.fsm.last_attempt().ended - fix.fsm.last_attempt().started, 150ms);
}

// A JSON answer, or a stream that ends without output, is served without a commit
TEST(route_pass, serves_an_answer_that_never_commits) {
    driven fix({{1}});
    fix.begin_request();
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
    EXPECT_FALSE(fix.fsm.committed());
    EXPECT_FALSE(fix.fsm.last_attempt().committed);
}

// What the state says of an attempt stands on its record
TEST(route_pass, keeps_what_the_state_says_of_an_attempt) {
    driven fix({{1}});
    fix.tell(begun{});
    fix.tell(admitted{position{0}, {}, true});
    fix.tell(attempt_failed{status(500)});
    fix.tell(settled{{.change = circuit_change::reopened, .until = base::instant{9s}}});
    EXPECT_TRUE(fix.fsm.last_attempt().probe);
    EXPECT_EQ(fix.fsm.last_attempt().effect.change, circuit_change::reopened);
    EXPECT_EQ(fix.fsm.last_attempt().effect.until, base::instant{9s});
}

// Failures that another deployment may not share move on at once
class moving_on : public testing::TestWithParam<std::pair<base::failure_report, failure_class>> {};

TEST_P(moving_on, to_the_untried_deployment_without_a_wait) {
    const auto& [report, expected_class] = GetParam();
    driven fix({{1, 1}});
    const auto first = fix.begin_request().target;
    EXPECT_EQ(fix.fail(report).type, start_attempt);
    EXPECT_EQ(fix.fsm.last_attempt().failure, expected_class);
    EXPECT_THAT(fix.asked(), ElementsAre(first, 1 - first));
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::served);
    EXPECT_EQ(fix.outcome().deciding, 1U);
    EXPECT_EQ(fix.fsm.last_attempt().waited, 0ns);
}

INSTANTIATE_TEST_SUITE_P(after, moving_on,
                         testing::Values(std::pair{status(500), failure_class::transient},
                                         std::pair{asks_to_wait(503, 30s), failure_class::transient},
                                         std::pair{stopped_by(failure_origin::response_timeout),
                                                   failure_class::transient},
                                         std::pair{asks_to_wait(429, 2s), failure_class::throttle},
                                         std::pair{status(401), failure_class::configuration},
                                         std::pair{unfit(), failure_class::incompatible}));

class ending : public testing::TestWithParam<std::pair<base::failure_report, failure_class>> {};

TEST_P(ending, the_logical_request) {
    const auto& [report, expected_class] = GetParam();
    driven fix({{1, 1}});
    fix.begin_request();
    EXPECT_EQ(fix.fail(report).type, finish);
    EXPECT_EQ(fix.fsm.last_attempt().failure, expected_class);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
    EXPECT_FALSE(fix.fsm.committed());
}

INSTANTIATE_TEST_SUITE_P(after, ending,
                         testing::Values(std::pair{status(422), failure_class::request},
                                         std::pair{too_long(), failure_class::context_window},
                                         std::pair{forbidden(), failure_class::content_policy},
                                         std::pair{stopped_by(failure_origin::gateway), failure_class::gateway}));

// The budget ends the request although deployments are left
TEST(route_pass, starts_no_more_attempts_than_the_budget_allows) {
    driven fix({{1, 1, 1}}, {.max_attempts = 2});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_EQ(fix.fsm.attempts_left(), 0U);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(2));
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 1U);
}

// A chain, for whatever reason, is left exactly one attempt
class budget_for_a_chain : public testing::TestWithParam<fallback_reason> {};

TEST_P(budget_for_a_chain, is_one_attempt) {
    driven fix(routes({{1, 1, 1, 1}, {1}}).chain(GetParam(), {1}), {.max_attempts = 3});
    fix.begin_request();
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    EXPECT_EQ(fix.fail(status(500)).type, start_attempt);
    // without a general chain a round of reuse follows, in which the untried come first
    EXPECT_EQ(fix.action.target == 4, GetParam() == fallback_reason::general);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(3));
}

INSTANTIATE_TEST_SUITE_P(of_each_reason, budget_for_a_chain,
                         testing::Values(fallback_reason::general, fallback_reason::context_window,
                                         fallback_reason::content_policy));

TEST(route_pass, leaves_a_chain_nothing_of_a_budget_of_one) {
    driven fix(routes({{1}, {1}}).general({1}), {.max_attempts = 1});
    EXPECT_EQ(fix.begin_request().target, 0);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(1));
}

// A chain that is reached early has all that is left
TEST(route_pass, spends_no_more_on_the_pool_than_there_are_deployments) {
    driven fix(routes({{1}, {1, 1}}).general({1}), {.max_attempts = 4});
    fix.begin_request();
    fix.fail(status(500));
    fix.fail(status(500));
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    EXPECT_THAT(fix.asked(), UnorderedElementsAre(0, 1, 2));
}

// Those who stood before the admitted one were refused: they cost nothing and are not asked again in this pass
TEST(route_pass, excludes_candidates_that_were_refused_at_admission) {
    // Setup
    driven fix({{1, 1, 1, 1}});
    fix.tell(begun{});
    const std::vector<position> order(fix.fsm.candidates().begin(), fix.fsm.candidates().end());
    fix.block(order[0], obstacle::limit);
    fix.block(order[1], obstacle::probe);

    // Simulate: the third is admitted and fails
    EXPECT_EQ(fix.answer().target, order[2]);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
    fix.unblock(order[0]);
    fix.tell(attempt_failed{status(500)});
    EXPECT_EQ(fix.tell(settled{}).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(order[3]));
}

// Weight 0 in a pool of several is no candidate, whatever else remains
TEST(route_pass, never_asks_a_weightless_deployment_of_several) {
    driven fix({{0, 1, 0}}, {.max_attempts = 2});
    fix.tell(begun{});
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(1));
    fix.answer();
    EXPECT_EQ(fix.fail(status(500)).type, wait);
    fix.wait_out();
    EXPECT_THAT(fix.asked(), ElementsAre(1, 1));
}

TEST(route_pass, ignores_the_weight_of_a_pool_of_one) {
    driven fix({{0}});
    EXPECT_EQ(fix.tell(begun{}).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(0));
}

// Strategies that rank by live values read them before every choice; a pool of one has nothing to rank
TEST(route_pass, reads_a_snapshot_before_each_choice_of_a_strategy_that_ranks_by_one) {
    // Setup
    driven fix({{1, 1, 1}}, {.how = strategy::least_busy});
    fix.values.resize(3);
    fix.values[0].in_flight = 2;
    fix.values[1].in_flight = 1;
    fix.values[2].in_flight = 3;

    // Simulate
    EXPECT_EQ(fix.tell(begun{}).type, read_state);
    EXPECT_EQ(fix.answer().type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(1, 0, 2));
    fix.answer();
    fix.values[2].in_flight = 0;
    fix.tell(attempt_failed{status(500)});
    EXPECT_EQ(fix.tell(settled{}).type, read_state);
    fix.answer();
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(2, 0));
}

TEST(route_pass, reads_nothing_of_a_pool_of_one) {
    driven fix({{1}}, {.how = strategy::least_busy});
    EXPECT_EQ(fix.tell(begun{}).type, admit);
}

TEST(route_pass, reads_nothing_for_a_draw) {
    driven fix({{1, 1}}, {.how = strategy::simple_shuffle});
    EXPECT_EQ(fix.tell(begun{}).type, admit);
}

// A lost race: the choice is repeated with fresh values and without the loser
TEST(route_pass, repeats_the_choice_when_everybody_of_it_was_refused) {
    driven fix({{1, 1}}, {.how = strategy::latency_based});
    fix.tell(begun{});
    EXPECT_EQ(fix.answer().type, admit);
    fix.block(0, obstacle::probe);
    fix.block(1, obstacle::probe);
    EXPECT_EQ(fix.answer().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::no_candidate);
    EXPECT_EQ(fix.fsm.attempts_left(), 3U);
}

// An event that does not fit the last action is the driver's mistake, and changes nothing
TEST(route_pass, refuses_events_that_do_not_fit) {
    driven fix({{1}});
    EXPECT_THROW(fix.tell(settled{}), std::logic_error);
    fix.tell(begun{});
    EXPECT_THROW(fix.tell(begun{}), std::logic_error);
    EXPECT_THROW(fix.tell(waited{}), std::logic_error);
    EXPECT_THROW(fix.tell(snapshot_read{}), std::logic_error);
    EXPECT_THROW(fix.tell(admitted{position{3}}), std::logic_error);
    EXPECT_THROW(fix.tell(admitted{}), std::logic_error); // nothing is said of the one that was refused
    fix.answer();
    EXPECT_THROW(fix.tell(total_expired{}), std::logic_error);
    EXPECT_THROW(fix.tell(client_left{}), std::logic_error);
    EXPECT_THROW(fix.tell(state_failed{}), std::logic_error);
    fix.tell(attempt_committed{});
    EXPECT_THROW(fix.tell(attempt_committed{}), std::logic_error);
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_THROW(fix.tell(begun{}), std::logic_error);
}

TEST(route_pass, refuses_a_snapshot_of_another_pool) {
    driven fix({{1, 1}}, {.how = strategy::least_busy});
    fix.tell(begun{});
    const std::vector<deployment_snapshot> one(1);
    EXPECT_THROW(fix.tell(snapshot_read{one}), std::logic_error);
}

// The same seed draws the same orders
TEST(route_pass, is_a_function_of_its_seed) {
    driven one({{1, 2, 3, 4, 5}});
    driven other({{1, 2, 3, 4, 5}});
    one.tell(begun{});
    other.tell(begun{});
    const std::vector<position> order(one.fsm.candidates().begin(), one.fsm.candidates().end());
    EXPECT_THAT(other.fsm.candidates(), ElementsAreArray(order));
    EXPECT_THAT(order, UnorderedElementsAre(0, 1, 2, 3, 4));
}

} // namespace
} // namespace turnout::routing
