// Deployments whose transport cannot carry a request, which is known before anything is sent.
#include "routing/answer.hpp"
#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using base::failure_origin;
using enum route_action_type;

constexpr auto not_carried = failure_origin::not_carried;

TEST(not_carried, costs_no_attempt_and_moves_on) {
    RecordProperty("rules", "FAIL-NEUTRAL-002");
    driven fix({{1, 1, 1}}, {.max_attempts = 1});
    fix.begin_request();
    EXPECT_EQ(fix.fail(stopped_by(not_carried)).type, start_attempt);
    EXPECT_EQ(fix.fsm.last_attempt().failure, failure_class::incompatible);
    EXPECT_EQ(fix.fsm.last_settlement().effect, attempt_effect::neutral);
    EXPECT_EQ(fix.fail(stopped_by(not_carried)).type, start_attempt);
    EXPECT_EQ(fix.fsm.attempts_left(), 0U) << "the one that runs";
    EXPECT_EQ(fix.fail(status(500)).type, finish);
}

TEST(not_carried, costs_an_attempt_where_an_upstream_said_so) {
    driven fix({{1, 1, 1}}, {.max_attempts = 2});
    fix.begin_request();
    auto lacks_operation = status(404);
    lacks_operation.origin = not_carried;
    EXPECT_EQ(fix.fail(lacks_operation).type, start_attempt);
    EXPECT_EQ(fix.fail(lacks_operation).type, finish);
}

TEST(counting, says_nothing_of_the_deployment) {
    RecordProperty("rules", "MSG-COUNT-005");
    for (const bool generates : {true, false}) {
        driven fix({{1, 1, 1, 1}}, {.max_attempts = 4, .generates = generates});
        const auto effect = [&](attempt_effect of_generating) {
            EXPECT_EQ(fix.fsm.last_settlement().effect, generates ? of_generating : attempt_effect::neutral);
        };
        fix.begin_request();
        fix.fail(status(500));
        effect(attempt_effect::transient);
        fix.fail(status(401));
        effect(attempt_effect::configuration);
        fix.fail(status(429));
        effect(attempt_effect::throttle);
        fix.succeed();
        effect(attempt_effect::success);
    }
}

TEST(not_carried, is_answered_400_if_nobody_can) {
    RecordProperty("rules", "FAIL-NEUTRAL-003");
    driven fix({{1, 1}});
    fix.begin_request();
    fix.fail(stopped_by(not_carried));
    EXPECT_EQ(fix.fail(stopped_by(not_carried)).type, finish);
    const auto answer = answer_for(fix.outcome(), fix.fsm.attempts());
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.code, "unsupported_model_capability");
    EXPECT_EQ(answer.type, "invalid_request_error");
}

TEST(not_carried, does_not_speak_for_a_request_that_was_attempted) {
    RecordProperty("rules", "FAIL-NEUTRAL-003");
    driven fix({{1, 1}}, {.max_attempts = 1});
    fix.begin_request();
    fix.fail(stopped_by(not_carried));
    fix.fail(status(503));
    EXPECT_EQ(answer_for(fix.outcome(), fix.fsm.attempts()).status, 503);
}

TEST(not_carried, leaves_it_open_whether_a_misconfigured_deployment_could_have) {
    RecordProperty("rules", "FAIL-NEUTRAL-003");
    driven fix({{1, 1}}, {.max_attempts = 1});
    fix.begin_request();
    fix.fail(stopped_by(not_carried));
    EXPECT_EQ(fix.fail(status(401)).type, finish);
    EXPECT_EQ(answer_for(fix.outcome(), fix.fsm.attempts()).code, "model_unavailable");
}

} // namespace
} // namespace turnout::routing
