// The rules FAIL-ORDER of spec/rules/failures.yaml: which test of an answer comes first. The table of all classes is in
// failure_class_test.cpp.
#include <chrono>
#include <string>

#include <gmock/gmock.h>

#include "routing/failure_class.hpp"

namespace turnout::routing {
namespace {

using base::failure_origin;
using base::failure_report;

failure_report answer(int status, std::string code, std::string message = "") {
    failure_report report;
    report.origin = failure_origin::upstream_answer;
    report.status = status;
    report.code = std::move(code);
    report.message = std::move(message);
    return report;
}

failure_class class_of(const failure_report& report) { return classify(report).value; }

using enum failure_class;

TEST(failure_order, finds_a_context_window_under_any_status) {
    RecordProperty("rules", "FAIL-ORDER-001");
    for (const int status : {400, 403, 413, 422, 500}) {
        EXPECT_EQ(class_of(answer(status, "context_length_exceeded")), context_window) << status;
        EXPECT_EQ(class_of(answer(status, "", "prompt is too long: 9 tokens > 8 maximum")), context_window) << status;
    }
}

TEST(failure_order, tests_the_account_before_context_and_context_before_policy) {
    RecordProperty("rules", "FAIL-ORDER-002");
    EXPECT_EQ(class_of(answer(400, "API_KEY_INVALID", "maximum context length")), configuration);
    EXPECT_EQ(class_of(answer(400, "content_filter", "maximum context length")), context_window);
    EXPECT_EQ(class_of(answer(400, "content_filter")), content_policy);
}

TEST(failure_order, believes_an_inner_rate_limit_more_than_a_5xx) {
    RecordProperty("rules", "FAIL-ORDER-003");
    EXPECT_EQ(class_of(answer(500, "429")), throttle);
    EXPECT_EQ(class_of(answer(503, "slow_down")), throttle);
    EXPECT_EQ(class_of(answer(503, "")), transient);
}

TEST(failure_order, reads_the_body_of_a_498) {
    RecordProperty("rules", "FAIL-ORDER-004");
    EXPECT_EQ(class_of(answer(498, "", "invalid token")), configuration);
    EXPECT_EQ(class_of(answer(498, "capacity_exceeded")), throttle);
}

TEST(failure_order, tells_the_meanings_of_a_402_apart) {
    RecordProperty("rules", "FAIL-ORDER-005");
    auto waiting = answer(402, "");
    waiting.retry_after = std::chrono::seconds(3);
    EXPECT_EQ(class_of(waiting), throttle);
    EXPECT_EQ(class_of(answer(402, "", "This request requires more credits, or fewer max_tokens.")), incompatible);
    EXPECT_EQ(class_of(answer(402, "", "Insufficient Balance")), configuration);
}

TEST(failure_order, marks_an_exhausted_quota) {
    RecordProperty("rules", "FAIL-ORDER-006");
    const auto exhausted = classify(answer(429, "insufficient_quota"));
    EXPECT_EQ(exhausted.value, throttle);
    EXPECT_TRUE(exhausted.quota_exhausted);
    EXPECT_FALSE(classify(answer(429, "rate_limit_exceeded")).quota_exhausted);
}

TEST(failure_order, blames_no_upstream_for_the_client_or_the_gateway) {
    RecordProperty("rules", "FAIL-ORDER-007");
    for (const auto origin : {failure_origin::client_gone, failure_origin::client_stalled, failure_origin::gateway}) {
        failure_report report;
        report.origin = origin;
        EXPECT_EQ(class_of(report), gateway);
    }
}

} // namespace
} // namespace turnout::routing
