// How a logical request ends, and what is said of it.
#include <chrono>

#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::IsEmpty;
using testing::SizeIs;
using enum route_action_type;

// After the commit a failure that would have moved on goes in-band
TEST(route_end, retries_nothing_after_the_commit) {
    driven fix({{1, 1}});
    fix.begin_request();
    fix.tell(attempt_committed{});
    EXPECT_EQ(fix.fail(stopped_by(failure_origin::stream_truncated)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_TRUE(fix.fsm.committed());
    EXPECT_TRUE(fix.fsm.last_attempt().committed);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::transient);
}

// A configuration failure after another failure does not speak for the request
TEST(route_end, lets_the_last_failure_that_is_not_configuration_decide) {
    driven fix({{1, 1, 1}});
    fix.begin_request();
    fix.fail(status(503));
    fix.fail(status(401));
    EXPECT_EQ(fix.fail(status(403)).type, finish);
    EXPECT_EQ(fix.outcome().deciding, 0U);
    EXPECT_FALSE(fix.outcome().only_configuration);
}

TEST(route_end, says_if_every_attempt_failed_by_configuration) {
    driven fix({{1, 1}}, {.max_attempts = 2});
    fix.begin_request();
    fix.fail(status(401));
    EXPECT_EQ(fix.fail(status(404)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_TRUE(fix.outcome().only_configuration);
    EXPECT_EQ(fix.outcome().deciding, std::nullopt);
}

// totalMs during an attempt: a transient failure of it, and the end of the request
TEST(route_end, expires_when_the_total_time_ends_an_attempt) {
    driven fix({{1, 1}});
    fix.begin_request();
    EXPECT_EQ(fix.fail(stopped_by(failure_origin::total_timeout)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::expired);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::transient);
}

// While the gateway itself was not reading, it is nobody's failure
TEST(route_end, expires_without_blame_when_the_gateway_paused) {
    driven fix({{1, 1}});
    fix.begin_request();
    fix.tell(attempt_committed{});
    EXPECT_EQ(fix.tell(attempt_failed{stopped_by(failure_origin::paused_timeout)}).type, settle);
    EXPECT_EQ(fix.fsm.last_settlement().effect, attempt_effect::neutral);
    EXPECT_EQ(fix.tell(settled{}).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::expired);
    EXPECT_TRUE(fix.fsm.committed());
}

TEST(route_end, expires_while_the_state_is_asked) {
    driven fix({{1}});
    fix.tell(begun{});
    EXPECT_EQ(fix.tell(total_expired{}).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::expired);
    EXPECT_THAT(fix.fsm.attempts(), IsEmpty());
}

// A failure that arrives at the deadline starts nothing new; one just before it does
TEST(route_end, chooses_nobody_at_the_deadline) {
    driven before({{1, 1}}, {.deadline = driven::begin + 60s});
    before.begin_request();
    before.now = driven::begin + 60s - 1ns;
    EXPECT_EQ(before.fail(status(500)).type, start_attempt);

    driven at({{1, 1}}, {.deadline = driven::begin + 60s});
    at.begin_request();
    at.now = driven::begin + 60s;
    EXPECT_EQ(at.fail(status(500)).type, finish);
    EXPECT_EQ(at.outcome().verdict, route_verdict::expired);
}

TEST(route_end, chooses_nobody_if_a_snapshot_comes_at_the_deadline) {
    driven fix({{1, 1}}, {.how = strategy::least_busy, .deadline = driven::begin + 60s});
    fix.tell(begun{});
    fix.now = driven::begin + 60s;
    EXPECT_EQ(fix.answer().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::expired);
}

// An attempt may run until totalMs, or until the deployment's own, counted from the request's start
TEST(route_end, bounds_an_attempt_by_the_tighter_total_time) {
    RecordProperty("rules", "RTY-BOUND-001");
    driven fix(routes({{1}, {1}, {1}}).total(0, 5s).total(2, 100s).general({1, 2}),
               {.max_attempts = 5, .deadline = driven::begin + 60s});
    EXPECT_EQ(fix.begin_request().until, driven::begin + 5s);
    fix.now += 2s;
    EXPECT_EQ(fix.fail(status(500)).until, driven::begin + 60s);
    EXPECT_EQ(fix.fail(status(500)).until, driven::begin + 60s);
}

// Whose own total time is over is no candidate any more; just before that it is
TEST(route_end, passes_over_a_deployment_whose_own_total_time_is_over) {
    RecordProperty("rules", "RTY-BOUND-002");
    for (const auto& [at, asked] : {std::pair{5s - 1ns, true}, std::pair{base::duration{5s}, false}}) {
        driven fix(routes({{1}, {1}}).total(1, 5s).general({1}), {.max_attempts = 2});
        fix.begin_request();
        fix.now = driven::begin + at;
        const auto next = fix.fail(status(500));
        EXPECT_EQ(next.type == start_attempt && next.target == 1, asked);
    }
}

// A wait that would pass it is not begun either
TEST(route_end, waits_for_no_deployment_beyond_its_own_total_time) {
    for (const auto& [total, waits] : {std::pair{2s + 1ns, true}, std::pair{base::duration{2s}, false}}) {
        driven fix(routes({{1}}).total(0, total));
        fix.random.fixed = 0;
        fix.begin_request();
        EXPECT_EQ(fix.fail(asks_to_wait(503, 2s)).type, waits ? wait : finish);
        if (!waits) {
            EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
        }
    }
}

// The client leaves: during an attempt, and while the state is asked
class client_leaving : public testing::TestWithParam<failure_origin> {};

TEST_P(client_leaving, ends_the_request_for_nobody) {
    driven fix({{1, 1}});
    fix.begin_request();
    EXPECT_EQ(fix.fail(stopped_by(GetParam())).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::client_gone);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::gateway);
}

INSTANTIATE_TEST_SUITE_P(by, client_leaving,
                         testing::Values(failure_origin::client_gone, failure_origin::client_stalled));

TEST(route_end, ends_when_the_client_leaves_while_the_state_is_asked) {
    driven fix({{1}});
    fix.tell(begun{});
    EXPECT_EQ(fix.tell(client_left{}).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::client_gone);
}

// Live state out of reach: while admitting, while reading, and in a round of reuse
TEST(route_end, ends_without_live_state) {
    driven admitting({{1}});
    admitting.tell(begun{});
    EXPECT_EQ(admitting.tell(state_failed{}).type, finish);
    EXPECT_EQ(admitting.outcome().verdict, route_verdict::state_unavailable);

    driven reading({{1, 1}}, {.how = strategy::least_busy});
    reading.tell(begun{});
    EXPECT_EQ(reading.tell(state_failed{}).type, finish);
    EXPECT_EQ(reading.outcome().verdict, route_verdict::state_unavailable);

    driven reusing({{1}});
    reusing.begin_request();
    reusing.tell(attempt_failed{status(500)});
    EXPECT_EQ(reusing.tell(settled{}).type, read_state);
    EXPECT_EQ(reusing.tell(state_failed{}).type, finish);
    EXPECT_EQ(reusing.outcome().verdict, route_verdict::state_unavailable);
    EXPECT_THAT(reusing.fsm.attempts(), SizeIs(1));
}

// Nothing admissible ------------------------------------------------------------------------------------------

struct shortage_case {
    std::vector<gate> gates;
    shortage why;
};

class nothing_admissible : public testing::TestWithParam<shortage_case> {};

TEST_P(nothing_admissible, says_why) {
    driven fix({{1, 1}});
    fix.gates = GetParam().gates;
    for (auto& g : fix.gates) g.until = fix.now + 10s;
    EXPECT_EQ(fix.begin_request().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::no_candidate);
    EXPECT_EQ(fix.outcome().shortfall, GetParam().why);
    EXPECT_EQ(fix.outcome().retry_after, 10s);
    EXPECT_EQ(fix.outcome().deciding, std::nullopt);
    EXPECT_FALSE(fix.outcome().only_configuration);
    EXPECT_EQ(fix.fsm.attempts_left(), 3U);
}

INSTANTIATE_TEST_SUITE_P(
    because_of, nothing_admissible,
    testing::Values(shortage_case{{{.why = obstacle::circuit}, {.why = obstacle::probe}}, shortage::circuits},
                    shortage_case{{{.why = obstacle::circuit, .configuration = true},
                                   {.why = obstacle::probe, .configuration = true}},
                                  shortage::misconfigured},
                    shortage_case{{{.why = obstacle::circuit, .configuration = true}, {.why = obstacle::circuit}},
                                  shortage::circuits},
                    shortage_case{{{.why = obstacle::limit}, {.why = obstacle::capacity}}, shortage::limits},
                    shortage_case{{{.why = obstacle::limit}, {.why = obstacle::circuit}}, shortage::limits}));

TEST(route_end, names_the_earliest_moment_of_all_pools) {
    RecordProperty("rules", "FBK-ANSWER-003");
    driven fix(routes({{1, 1}, {1}, {1}}).general({1, 2}));
    fix.block(0, obstacle::circuit, 9s);
    fix.block(1, obstacle::circuit, 8s);
    fix.block(2, obstacle::limit, 3s);
    fix.block(3, obstacle::limit, 4s);
    EXPECT_EQ(fix.begin_request().type, finish);
    EXPECT_EQ(fix.outcome().shortfall, shortage::circuits); // of the primary
    EXPECT_EQ(fix.outcome().retry_after, 3s);
}

TEST(route_end, has_nobody_if_all_of_several_are_weightless) {
    driven fix({{0, 0}});
    EXPECT_EQ(fix.begin_request().type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::no_candidate);
    EXPECT_EQ(fix.outcome().shortfall, shortage::nobody);
    EXPECT_EQ(fix.outcome().retry_after, std::nullopt);
}

TEST(route_end, has_nobody_in_an_empty_pool) {
    driven fix(routes({std::vector<std::uint32_t>{}}));
    EXPECT_EQ(fix.begin_request().type, finish);
    EXPECT_EQ(fix.outcome().shortfall, shortage::nobody);
}

// An attempt was made: it speaks, however the others are blocked
TEST(route_end, lets_the_failed_attempt_speak_if_nobody_else_is_eligible) {
    driven fix({{1, 1}});
    fix.block(0, obstacle::limit);
    EXPECT_EQ(fix.begin_request().target, 1);
    fix.block(1, obstacle::circuit);
    EXPECT_EQ(fix.fail(status(500)).type, finish);
    EXPECT_EQ(fix.outcome().verdict, route_verdict::failed);
    EXPECT_EQ(fix.outcome().deciding, 0U);
}

} // namespace
} // namespace turnout::routing
