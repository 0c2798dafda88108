#include <chrono>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>

#include "routing/route_fsm.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using base::failure_report;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using enum route_action_type;

failure_report status(int value) { return {.origin = failure_origin::upstream_answer, .status = value}; }
failure_report stopped_by(failure_origin origin) { return {.origin = origin}; }

/// The test is the driver: it says what happened and looks at what the machine wants next.
class fixture {
public:
    explicit fixture(std::vector<std::uint32_t> weights, unsigned max_attempts = 3)
        : fsm(plan_for(weights, max_attempts)) {}

    route_action tell(const route_event& event) {
        action = fsm.resume(now, event, random);
        return action;
    }

    /// Takes the candidate at `rank` of the order, and has its attempt started.
    position admit(std::size_t rank = 0) {
        const position target = fsm.candidates()[rank];
        EXPECT_EQ(tell(admitted{target}).type, start_attempt);
        EXPECT_EQ(action.target, target);
        return target;
    }

    /// The attempt ends with `report`, and the state is told.
    route_action fail(const failure_report& report) {
        EXPECT_EQ(tell(attempt_failed{report}).type, settle);
        return tell(settled{});
    }

    route_action succeed() {
        EXPECT_EQ(tell(attempt_succeeded{}).type, settle);
        return tell(settled{});
    }

    base::instant now{1s};
    base::splitmix random{7};
    route_fsm fsm;
    route_action action;

private:
    static route_plan plan_for(const std::vector<std::uint32_t>& weights, unsigned max_attempts) {
        route_plan plan{.pool = {}, .max_attempts = max_attempts, .deadline = base::instant{60s}};
        for (const auto weight : weights) plan.pool.push_back({weight});
        return plan;
    }
};

// A pool of one that answers: admit, attempt, commit, settle, finish
TEST(route_fsm, serves_a_stream_from_the_only_deployment) {
    // Setup
    fixture fix({1});

    // Simulate
    EXPECT_EQ(fix.tell(begun{}).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(0));
    EXPECT_EQ(fix.tell(admitted{position{0}}).type, start_attempt);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
    fix.now += 100ms;
    EXPECT_FALSE(fix.fsm.committed());
    EXPECT_EQ(fix.tell(attempt_committed{}).type, commit);
    EXPECT_TRUE(fix.fsm.committed());
    fix.now += 50ms;
    EXPECT_EQ(fix.tell(attempt_succeeded{}).type, settle);
    EXPECT_EQ(fix.action.target, 0);
    EXPECT_EQ(fix.tell(settled{}).type, finish);

    // What is left on record
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::served);
    EXPECT_EQ(fix.fsm.outcome().deciding, 0U);
    ASSERT_THAT(fix.fsm.attempts(), SizeIs(1));
    EXPECT_TRUE(fix.fsm.last_attempt().ok);
    EXPECT_TRUE(fix.fsm.last_attempt().committed);
    EXPECT_EQ(fix.fsm.last_attempt().ended - fix.fsm.last_attempt().started, 150ms);
}

// A JSON answer, or a stream that ends without output, is served without a commit
TEST(route_fsm, serves_an_answer_that_never_commits) {
    fixture fix({1});
    fix.tell(begun{});
    fix.admit();
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::served);
    EXPECT_FALSE(fix.fsm.outcome().in_band);
    EXPECT_FALSE(fix.fsm.last_attempt().committed);
}

// Failures that another deployment may not share move on; the others end the request
class moving_on : public testing::TestWithParam<std::pair<failure_report, failure_class>> {};

TEST_P(moving_on, to_the_untried_deployment) {
    // Setup
    const auto& [report, expected_class] = GetParam();
    fixture fix({1, 1});

    // Simulate
    fix.tell(begun{});
    const auto first = fix.admit();
    EXPECT_EQ(fix.fail(report).type, admit);
    EXPECT_EQ(fix.fsm.last_attempt().failure, expected_class);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(static_cast<position>(1 - first)));
    fix.admit();
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::served);
    EXPECT_EQ(fix.fsm.outcome().deciding, 1U);
}

INSTANTIATE_TEST_SUITE_P(after, moving_on,
                         testing::Values(std::pair{status(500), failure_class::transient},
                                         std::pair{status(429), failure_class::throttle},
                                         std::pair{status(401), failure_class::configuration},
                                         std::pair{failure_report{.origin = failure_origin::upstream_answer,
                                                                  .status = 413,
                                                                  .code = "rate_limit_exceeded"},
                                                   failure_class::incompatible}));

class ending : public testing::TestWithParam<std::pair<failure_report, failure_class>> {};

TEST_P(ending, the_logical_request) {
    const auto& [report, expected_class] = GetParam();
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    EXPECT_EQ(fix.fail(report).type, finish);
    EXPECT_EQ(fix.fsm.last_attempt().failure, expected_class);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.fsm.outcome().deciding, 0U);
    EXPECT_FALSE(fix.fsm.outcome().in_band);
}

INSTANTIATE_TEST_SUITE_P(after, ending,
                         testing::Values(std::pair{status(422), failure_class::request},
                                         std::pair{failure_report{.origin = failure_origin::upstream_answer,
                                                                  .status = 400,
                                                                  .code = "context_length_exceeded"},
                                                   failure_class::context_window},
                                         std::pair{failure_report{.origin = failure_origin::upstream_answer,
                                                                  .status = 400,
                                                                  .code = "content_filter"},
                                                   failure_class::content_policy},
                                         std::pair{stopped_by(failure_origin::gateway), failure_class::gateway}));

// Each deployment is asked once, then the last answer stands, although the budget has attempts left
TEST(route_fsm, asks_each_deployment_at_most_once) {
    fixture fix({1, 1}, 5);
    fix.tell(begun{});
    const auto first = fix.admit();
    fix.fail(status(500));
    const auto second = fix.admit();
    EXPECT_NE(first, second);
    EXPECT_EQ(fix.fail(status(503)).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.fsm.outcome().deciding, 1U);
    EXPECT_EQ(fix.fsm.attempts_left(), 3U);
}

// The budget ends the request although deployments are left
TEST(route_fsm, starts_no_more_attempts_than_the_budget_allows) {
    fixture fix({1, 1, 1}, 2);
    fix.tell(begun{});
    fix.admit();
    EXPECT_EQ(fix.fail(status(500)).type, admit);
    fix.admit();
    EXPECT_EQ(fix.fsm.attempts_left(), 0U);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_THAT(fix.fsm.attempts(), SizeIs(2));
}

// Those who stood before the admitted one were refused: they cost nothing and are not asked again
TEST(route_fsm, excludes_candidates_that_were_refused_at_admission) {
    // Setup
    fixture fix({1, 1, 1, 1}, 3);
    fix.tell(begun{});
    const auto last_in_order = fix.fsm.candidates()[3];

    // Simulate: the first two are refused, the third is admitted and fails
    fix.admit(2);
    EXPECT_EQ(fix.fsm.attempts_left(), 2U);
    EXPECT_EQ(fix.fail(status(500)).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(last_in_order));
}

// Nobody is admitted at once
TEST(route_fsm, finishes_without_an_attempt_if_nobody_is_admitted) {
    fixture fix({1, 1});
    fix.tell(begun{});
    EXPECT_EQ(fix.tell(admitted{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::no_candidate);
    EXPECT_EQ(fix.fsm.outcome().deciding, std::nullopt);
    EXPECT_FALSE(fix.fsm.outcome().only_configuration);
    EXPECT_EQ(fix.fsm.attempts_left(), 3U);
}

// Nobody is admitted after a failure: the failure speaks
TEST(route_fsm, lets_the_failed_attempt_speak_if_nobody_else_is_admitted) {
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    fix.fail(status(500));
    EXPECT_EQ(fix.tell(admitted{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.fsm.outcome().deciding, 0U);
}

// Weight 0 in a pool of several is no candidate, whatever else remains
TEST(route_fsm, never_asks_a_weightless_deployment_of_several) {
    fixture fix({0, 1, 0});
    fix.tell(begun{});
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(1));
    fix.admit();
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
}

TEST(route_fsm, has_no_candidate_if_all_of_several_are_weightless) {
    fixture fix({0, 0});
    EXPECT_EQ(fix.tell(begun{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::no_candidate);
}

TEST(route_fsm, ignores_the_weight_of_a_pool_of_one) {
    fixture fix({0});
    EXPECT_EQ(fix.tell(begun{}).type, admit);
    EXPECT_THAT(fix.fsm.candidates(), ElementsAre(0));
}

TEST(route_fsm, has_no_candidate_in_an_empty_pool) {
    fixture fix({});
    EXPECT_EQ(fix.tell(begun{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::no_candidate);
}

// After the commit a failure that would have moved on goes in-band
TEST(route_fsm, retries_nothing_after_the_commit) {
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    fix.tell(attempt_committed{});
    EXPECT_EQ(fix.fail(stopped_by(failure_origin::stream_truncated)).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
    EXPECT_TRUE(fix.fsm.outcome().in_band);
    EXPECT_TRUE(fix.fsm.last_attempt().committed);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::transient);
}

// A configuration failure after another failure does not speak for the request
TEST(route_fsm, lets_the_last_failure_that_is_not_configuration_decide) {
    fixture fix({1, 1, 1});
    fix.tell(begun{});
    fix.admit();
    fix.fail(status(503));
    fix.admit();
    fix.fail(status(401));
    fix.admit();
    fix.fail(status(403));
    EXPECT_EQ(fix.fsm.outcome().deciding, 0U);
    EXPECT_FALSE(fix.fsm.outcome().only_configuration);
}

TEST(route_fsm, says_if_every_attempt_failed_by_configuration) {
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    fix.fail(status(401));
    fix.admit();
    EXPECT_EQ(fix.fail(status(404)).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::failed);
    EXPECT_TRUE(fix.fsm.outcome().only_configuration);
    EXPECT_EQ(fix.fsm.outcome().deciding, std::nullopt);
}

// totalMs during an attempt: a transient failure of it, and the end of the request
TEST(route_fsm, expires_when_the_total_time_ends_an_attempt) {
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    EXPECT_EQ(fix.fail(stopped_by(failure_origin::total_timeout)).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::expired);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::transient);
}

TEST(route_fsm, expires_in_band_after_the_commit) {
    fixture fix({1});
    fix.tell(begun{});
    fix.admit();
    fix.tell(attempt_committed{});
    fix.fail(stopped_by(failure_origin::total_timeout));
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::expired);
    EXPECT_TRUE(fix.fsm.outcome().in_band);
}

// totalMs while the admission is outstanding
TEST(route_fsm, expires_between_attempts) {
    fixture fix({1});
    fix.tell(begun{});
    EXPECT_EQ(fix.tell(total_expired{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::expired);
    EXPECT_THAT(fix.fsm.attempts(), IsEmpty());
}

// A failure that arrives at the deadline starts nothing new; one just before it does
TEST(route_fsm, chooses_nobody_at_the_deadline) {
    fixture before({1, 1});
    before.tell(begun{});
    before.admit();
    before.now = base::instant{60s} - 1ns;
    EXPECT_EQ(before.fail(status(500)).type, admit);

    fixture at({1, 1});
    at.tell(begun{});
    at.admit();
    at.now = base::instant{60s};
    EXPECT_EQ(at.fail(status(500)).type, finish);
    EXPECT_EQ(at.fsm.outcome().verdict, route_verdict::expired);
}

// The client leaves: during an attempt, and while the admission is outstanding
class client_leaving : public testing::TestWithParam<failure_origin> {};

TEST_P(client_leaving, ends_the_request_for_nobody) {
    fixture fix({1, 1});
    fix.tell(begun{});
    fix.admit();
    EXPECT_EQ(fix.fail(stopped_by(GetParam())).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::client_gone);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::gateway);
}

INSTANTIATE_TEST_SUITE_P(by, client_leaving,
                         testing::Values(failure_origin::client_gone, failure_origin::client_stalled));

TEST(route_fsm, ends_when_the_client_leaves_between_attempts) {
    fixture fix({1});
    fix.tell(begun{});
    EXPECT_EQ(fix.tell(client_left{}).type, finish);
    EXPECT_EQ(fix.fsm.outcome().verdict, route_verdict::client_gone);
}

// An event that does not fit the last action is the driver's mistake, and changes nothing
TEST(route_fsm, refuses_events_that_do_not_fit) {
    fixture fix({1});
    EXPECT_THROW(fix.tell(settled{}), std::logic_error);
    fix.tell(begun{});
    EXPECT_THROW(fix.tell(begun{}), std::logic_error);
    EXPECT_THROW(fix.tell(waited{}), std::logic_error);
    EXPECT_THROW(fix.tell(snapshot_read{}), std::logic_error);
    EXPECT_THROW(fix.tell(admitted{position{3}}), std::logic_error);
    fix.admit();
    EXPECT_THROW(fix.tell(total_expired{}), std::logic_error);
    fix.tell(attempt_committed{});
    EXPECT_THROW(fix.tell(attempt_committed{}), std::logic_error);
    EXPECT_EQ(fix.succeed().type, finish);
    EXPECT_THROW(fix.tell(begun{}), std::logic_error);
}

// The same seed draws the same orders
TEST(route_fsm, is_a_function_of_its_seed) {
    fixture one({1, 2, 3, 4, 5});
    fixture other({1, 2, 3, 4, 5});
    one.tell(begun{});
    other.tell(begun{});
    const std::vector<position> order(one.fsm.candidates().begin(), one.fsm.candidates().end());
    EXPECT_THAT(other.fsm.candidates(), testing::ElementsAreArray(order));
    EXPECT_THAT(order, UnorderedElementsAre(0, 1, 2, 3, 4));
}

} // namespace
} // namespace turnout::routing
