#include <chrono>

#include <gtest/gtest.h>

#include "routing/attempt_record.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

attempt_record failed(failure_class failure) {
    attempt_record attempt;
    attempt.failure = failure;
    return attempt;
}

attempt_record succeeded(base::instant started = {}, base::instant ended = {}) {
    attempt_record attempt;
    attempt.ok = true;
    attempt.started = started;
    attempt.ended = ended;
    return attempt;
}

TEST(settlement_of, has_the_effect_of_the_class) {
    const auto effect = [](failure_class f) { return settlement_of(failed(f), {}, 0).effect; };
    EXPECT_EQ(effect(failure_class::request), attempt_effect::request);
    EXPECT_EQ(effect(failure_class::context_window), attempt_effect::request);
    EXPECT_EQ(effect(failure_class::content_policy), attempt_effect::request);
    EXPECT_EQ(effect(failure_class::throttle), attempt_effect::throttle);
    EXPECT_EQ(effect(failure_class::transient), attempt_effect::transient);
    EXPECT_EQ(effect(failure_class::configuration), attempt_effect::configuration);
    EXPECT_EQ(effect(failure_class::incompatible), attempt_effect::neutral);
    EXPECT_EQ(effect(failure_class::gateway), attempt_effect::neutral);
    EXPECT_EQ(settlement_of(succeeded(), {}, 0).effect, attempt_effect::success);
}

TEST(settlement_of, says_whether_the_failure_counts_and_how_far_a_reopening_is_spread) {
    auto attempt = failed(failure_class::transient);
    EXPECT_TRUE(settlement_of(attempt, {}, 0.25).counts);
    EXPECT_EQ(settlement_of(attempt, {}, 0.25).unit, 0.25);
    attempt.counts = false;
    EXPECT_FALSE(settlement_of(attempt, {}, 0).counts);
}

// Upstream time ends with the last byte, and the gateway's own pauses are none of it
TEST(settlement_of, measures_a_success_without_the_gateways_pauses) {
    const auto attempt = succeeded(base::instant{1s}, base::instant{9s});
    EXPECT_EQ(settlement_of(attempt, {}, 0).took, 8s);
    EXPECT_EQ(settlement_of(attempt, {.last_byte = base::instant{6s}}, 0).took, 5s);
    EXPECT_EQ(settlement_of(attempt, {.last_byte = base::instant{6s}, .paused = 2s}, 0).took, 3s);
}

TEST(settlement_of, carries_the_tokens_of_a_success) {
    const auto how = settlement_of(succeeded(), {.total_tokens = 12, .completion_tokens = 5}, 0);
    EXPECT_EQ(how.total_tokens, 12U);
    EXPECT_EQ(how.completion_tokens, 5U);
    const auto failure = settlement_of(failed(failure_class::transient), {.total_tokens = 12}, 0);
    EXPECT_EQ(failure.total_tokens, std::nullopt);
    EXPECT_EQ(failure.took, 0s);
}

TEST(settlement_of, carries_how_long_a_throttle_asks_to_wait) {
    auto attempt = failed(failure_class::throttle);
    attempt.report.retry_after = 7s;
    attempt.quota_exhausted = true;
    EXPECT_EQ(settlement_of(attempt, {}, 0).retry_after, 7s);
    EXPECT_TRUE(settlement_of(attempt, {}, 0).quota_exhausted);

    // of another failure it says nothing about the account
    attempt.failure = failure_class::transient;
    EXPECT_EQ(settlement_of(attempt, {}, 0).retry_after, std::nullopt);
    EXPECT_FALSE(settlement_of(attempt, {}, 0).quota_exhausted);
}

} // namespace
} // namespace turnout::routing
