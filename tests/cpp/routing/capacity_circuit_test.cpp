#include <chrono>
#include <limits>
#include <optional>

#include <gmock/gmock.h>

#include "routing/capacity_circuit.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

constexpr base::instant now{1000s};

class capacity_circuit_test : public testing::Test {
protected:
    bool throttle(base::instant at, std::optional<base::milliseconds> retry_after, bool quota_exhausted = false) {
        return circuit_.throttle(at, retry_after, quota_exhausted, settings_);
    }

    capacity_circuit circuit_;
    circuit_settings settings_;
};

TEST_F(capacity_circuit_test, is_closed_at_first) {
    EXPECT_FALSE(circuit_.open(now));
    EXPECT_FALSE(circuit_.open({}));
}

TEST_F(capacity_circuit_test, lasts_at_least_the_throttle_cooldown) {
    RecordProperty("rules", "BRK-CAPACITY-003");
    EXPECT_TRUE(throttle(now, std::nullopt));
    EXPECT_EQ(circuit_.until(), now + 5s);
    EXPECT_TRUE(circuit_.open(now + 5s - 1ns));
    EXPECT_FALSE(circuit_.open(now + 5s));
}

TEST_F(capacity_circuit_test, honors_a_retry_after_that_is_longer) {
    RecordProperty("rules", "BRK-CAPACITY-003");
    EXPECT_TRUE(throttle(now, 4999ms));
    EXPECT_EQ(circuit_.until(), now + 5s);
    EXPECT_TRUE(throttle(now, 5001ms));
    EXPECT_EQ(circuit_.until(), now + 5001ms);
}

TEST_F(capacity_circuit_test, lasts_at_most_the_longest_cooldown) {
    RecordProperty("rules", "BRK-CAPACITY-004");
    EXPECT_TRUE(throttle(now, 299'999ms));
    EXPECT_EQ(circuit_.until(), now + 299'999ms);
    EXPECT_TRUE(throttle(now, 300'001ms));
    EXPECT_EQ(circuit_.until(), now + 300s);
    EXPECT_FALSE(throttle(now, std::numeric_limits<base::milliseconds::rep>::max() * 1ms));
}

TEST_F(capacity_circuit_test, is_never_capped_below_the_throttle_cooldown) {
    RecordProperty("rules", "BRK-CAPACITY-004");
    settings_.throttle_cooldown = 20s;
    settings_.max_cooldown = 10s;
    EXPECT_TRUE(throttle(now, 60s));
    EXPECT_EQ(circuit_.until(), now + 20s);
}

TEST_F(capacity_circuit_test, lasts_longest_for_a_quota_that_is_exhausted) {
    RecordProperty("rules", "BRK-CAPACITY-005");
    EXPECT_TRUE(throttle(now, std::nullopt, true));
    EXPECT_EQ(circuit_.until(), now + 300s);
    circuit_ = {};
    EXPECT_TRUE(throttle(now, 7s, true));
    EXPECT_EQ(circuit_.until(), now + 7s);
}

TEST_F(capacity_circuit_test, gets_longer_and_never_shorter) {
    RecordProperty("rules", "BRK-CAPACITY-006");
    throttle(now, 60s);
    EXPECT_FALSE(throttle(now + 1s, std::nullopt));
    EXPECT_FALSE(throttle(now + 1s, 59s));
    EXPECT_EQ(circuit_.until(), now + 60s);
    EXPECT_TRUE(throttle(now + 1s, 60s));
    EXPECT_EQ(circuit_.until(), now + 61s);
}

TEST_F(capacity_circuit_test, has_no_exponent) {
    RecordProperty("rules", "BRK-CAPACITY-007");
    for (auto at = now; at < now + 1000s; at += 5s) {
        EXPECT_FALSE(circuit_.open(at));
        EXPECT_TRUE(throttle(at, std::nullopt));
        EXPECT_EQ(circuit_.until(), at + 5s);
    }
}

// A length of nothing opens nothing
TEST_F(capacity_circuit_test, stays_closed_without_any_length) {
    settings_.throttle_cooldown = 0s;
    EXPECT_FALSE(throttle(now, std::nullopt));
    EXPECT_FALSE(throttle(now, 0ms));
    EXPECT_FALSE(circuit_.open(now));
    EXPECT_TRUE(throttle(now, 1ms));
    EXPECT_TRUE(circuit_.open(now));
}

} // namespace
} // namespace turnout::routing
