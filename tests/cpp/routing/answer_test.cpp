#include <chrono>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>

#include "routing/answer.hpp"
#include "routing/driving.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using base::failure_report;

/// What a request whose attempts failed with `reports`, in this order, is answered; nothing else is eligible.
caller_answer after(const std::vector<failure_report>& reports) {
    driven fix(routes({std::vector<std::uint32_t>(reports.size(), 1)}),
               {.max_attempts = static_cast<unsigned>(reports.size())});
    fix.begin_request();
    for (const auto& report : reports) fix.fail(report);
    EXPECT_EQ(fix.action.type, route_action_type::finish);
    return answer_for(fix.outcome(), fix.fsm.attempts());
}

caller_answer without(shortage why, std::optional<base::duration> retry_after) {
    return answer_for({.verdict = route_verdict::no_candidate, .shortfall = why, .retry_after = retry_after}, {});
}

// Only deployments of weight 0 are left
TEST(answer, to_a_request_without_candidates) {
    const auto answer = answer_for({.verdict = route_verdict::no_candidate}, {});
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.type, "service_unavailable_error");
    EXPECT_EQ(answer.code, "model_unavailable");
    EXPECT_TRUE(answer.should_retry_false);
    EXPECT_EQ(answer.retry_after, std::nullopt);
    EXPECT_FALSE(answer.use_provider_message);
}

// Every circuit is open: the earliest moment, in whole seconds, rounded up and at least one
TEST(answer, to_open_circuits_says_when_to_come_back) {
    const auto answer = without(shortage::circuits, 5s);
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.type, "service_unavailable_error");
    EXPECT_EQ(answer.code, "model_overloaded");
    EXPECT_EQ(answer.retry_after, 5);
    EXPECT_FALSE(answer.should_retry_false);
    EXPECT_FALSE(answer.use_provider_message);
    EXPECT_EQ(without(shortage::circuits, 5s - 1ns).retry_after, 5);
    EXPECT_EQ(without(shortage::circuits, 5s + 1ns).retry_after, 6);
    EXPECT_EQ(without(shortage::circuits, 0s).retry_after, 1);
}

TEST(answer, to_circuits_that_misconfiguration_opened_does_not) {
    const auto answer = without(shortage::misconfigured, 300s);
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.code, "model_unavailable");
    EXPECT_EQ(answer.retry_after, std::nullopt);
    EXPECT_TRUE(answer.should_retry_false);
}

TEST(answer, to_limits_and_capacity_is_429) {
    const auto answer = without(shortage::limits, 17001ms);
    EXPECT_EQ(answer.status, 429);
    EXPECT_EQ(answer.type, "rate_limit_error");
    EXPECT_EQ(answer.code, "rate_limit_exceeded");
    EXPECT_EQ(answer.retry_after, 18);
    EXPECT_FALSE(answer.should_retry_false);
}

TEST(answer, without_live_state_is_503) {
    const auto answer = answer_for({.verdict = route_verdict::state_unavailable}, {});
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.code, "service_unavailable");
    EXPECT_EQ(answer.retry_after, 1);
    EXPECT_FALSE(answer.should_retry_false);
}

// A provider's refusal of the operator's key is never shown
TEST(answer, to_configuration_failures_only) {
    auto unauthorized = status(401, "invalid_api_key");
    unauthorized.retry_after = 5s;
    const auto answer = after({unauthorized, status(404, "model_not_found")});
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.code, "model_unavailable");
    EXPECT_TRUE(answer.should_retry_false);
    EXPECT_EQ(answer.retry_after, std::nullopt);
    EXPECT_FALSE(answer.use_provider_message);
}

// The last attempt that was not a configuration failure decides
TEST(answer, is_that_of_the_deciding_attempt) {
    const auto answer = after({status(500), status(503, "busy"), status(401)});
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.type, "server_error");
    EXPECT_EQ(answer.code, "busy");
    EXPECT_FALSE(answer.should_retry_false);
    EXPECT_TRUE(answer.use_provider_message);
    EXPECT_EQ(answer.message, "The upstream answered with status 503.");
}

TEST(answer, to_a_request_failure_is_the_providers) {
    auto report = status(422, "bad_value");
    report.param = "temperature";
    const auto answer = after({report});
    EXPECT_EQ(answer.status, 422);
    EXPECT_EQ(answer.type, "invalid_request_error");
    EXPECT_EQ(answer.code, "bad_value");
    EXPECT_EQ(answer.param, "temperature");
    EXPECT_TRUE(answer.use_provider_message);
    EXPECT_FALSE(answer.should_retry_false);
}

// Clients know an overflow by its code, whatever the provider calls it
TEST(answer, to_a_context_overflow_has_the_known_code) {
    auto report = status(400);
    report.message = "prompt is too long: 9 tokens > 8 maximum";
    EXPECT_EQ(after({report}).code, "context_length_exceeded");
    EXPECT_EQ(after({report}).status, 400);
    EXPECT_FALSE(after({report}).should_retry_false);

    // as a 500 it would be repeated by every official SDK
    report.status = 500;
    EXPECT_EQ(after({report}).status, 500);
    EXPECT_EQ(after({report}).type, "invalid_request_error");
    EXPECT_TRUE(after({report}).should_retry_false);
}

TEST(answer, to_forbidden_content_keeps_the_providers_code_if_it_is_a_name) {
    EXPECT_EQ(after({status(400, "content_filter")}).code, "content_filter");
    auto report = status(403, "403");
    report.message = "Your input was flagged";
    EXPECT_EQ(after({report}).code, "content_policy_violation");
    EXPECT_EQ(after({report}).status, 403);
}

TEST(answer, to_a_throttle_carries_the_time_to_wait_in_whole_seconds) {
    auto report = status(429, "rate_limit_exceeded");
    report.retry_after = 1001ms;
    EXPECT_EQ(after({report}).status, 429);
    EXPECT_EQ(after({report}).type, "rate_limit_error");
    EXPECT_EQ(after({report}).retry_after, 2);
    report.retry_after = 2000ms;
    EXPECT_EQ(after({report}).retry_after, 2);
    report.retry_after = 0ms;
    EXPECT_EQ(after({report}).retry_after, 1);
}

TEST(answer, to_an_exhausted_quota_discourages_repetition) {
    const auto answer = after({status(429, "insufficient_quota")});
    EXPECT_EQ(answer.status, 429);
    EXPECT_TRUE(answer.should_retry_false);
}

TEST(answer, to_a_request_too_large_for_every_account_is_the_upstreams) {
    const auto answer = after({status(413, "rate_limit_exceeded")});
    EXPECT_EQ(answer.status, 413);
    EXPECT_EQ(answer.type, "invalid_request_error");
}

// An error inside a 200 stands for a status
TEST(answer, to_an_error_inside_a_success_has_the_status_that_it_stands_for) {
    EXPECT_EQ(after({{.origin = failure_origin::error_event, .code = "server_error"}}).status, 500);
    EXPECT_EQ(after({{.origin = failure_origin::error_in_answer, .status = 502}}).status, 502);
    EXPECT_EQ(after({{.origin = failure_origin::error_event, .type = "overloaded_error"}}).status, 503);
}

struct without_answer {
    failure_origin origin;
    int status;
    std::string_view type;
    std::string_view code;
};

class answer_without_answer : public testing::TestWithParam<without_answer> {};

TEST_P(answer_without_answer, says_what_happened) {
    const auto answer = after({{.origin = GetParam().origin}});
    EXPECT_EQ(answer.status, GetParam().status);
    EXPECT_EQ(answer.type, GetParam().type);
    EXPECT_EQ(answer.code, GetParam().code);
    EXPECT_FALSE(answer.use_provider_message);
    EXPECT_FALSE(answer.message.empty());
    EXPECT_FALSE(answer.should_retry_false);
}

INSTANTIATE_TEST_SUITE_P(
    of, answer_without_answer,
    testing::Values(without_answer{failure_origin::connect_failed, 502, "server_error", ""},
                    without_answer{failure_origin::tls_failed, 502, "server_error", ""},
                    without_answer{failure_origin::connection_lost, 502, "server_error", ""},
                    without_answer{failure_origin::malformed_http, 502, "server_error", "upstream_protocol_error"},
                    without_answer{failure_origin::malformed_body, 502, "server_error", "upstream_protocol_error"},
                    without_answer{failure_origin::body_truncated, 502, "server_error", "upstream_stream_truncated"},
                    without_answer{failure_origin::stream_truncated, 502, "server_error", "upstream_stream_truncated"},
                    without_answer{failure_origin::response_timeout, 504, "timeout_error", "timeout"},
                    without_answer{failure_origin::idle_timeout, 504, "timeout_error", "timeout"},
                    without_answer{failure_origin::gateway, 500, "server_error", ""}));

// The time is over, whatever earlier attempts said
TEST(answer, to_an_expired_request_is_504) {
    const auto answer = after({status(503), {.origin = failure_origin::total_timeout}});
    EXPECT_EQ(answer.status, 504);
    EXPECT_EQ(answer.code, "timeout");
    EXPECT_TRUE(answer.should_retry_false);
    EXPECT_FALSE(answer.use_provider_message);
    EXPECT_EQ(after({status(503), {.origin = failure_origin::paused_timeout}}).code, "timeout");
}

TEST(answer, for_a_client_that_is_gone_is_for_the_log) {
    EXPECT_EQ(after({{.origin = failure_origin::client_gone}}).status, 499);
}

TEST(answer, to_a_served_request_does_not_exist) {
    EXPECT_THROW(answer_for({.verdict = route_verdict::served}, {}), std::logic_error);
}

} // namespace
} // namespace turnout::routing
