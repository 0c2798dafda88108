#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include <gmock/gmock.h>

#include "routing/metrics.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

constexpr base::instant start{12'340s};

TEST(moving_average, has_no_value_without_a_sample) { EXPECT_EQ(moving_average().value(), std::nullopt); }

TEST(moving_average, takes_the_first_sample_as_it_is) {
    RecordProperty("rules", "MET-AVERAGE-002");
    moving_average average;
    average.add(123.456);
    EXPECT_EQ(average.value(), 123.456);
}

TEST(moving_average, weighs_each_further_sample_with_a_fifth) {
    RecordProperty("rules", "MET-AVERAGE-001");
    moving_average average;
    average.add(100);
    average.add(200);
    EXPECT_DOUBLE_EQ(average.value().value(), 120);
    average.add(0);
    EXPECT_DOUBLE_EQ(average.value().value(), 96);
}

TEST(moving_average, drops_samples_that_are_no_numbers) {
    RecordProperty("rules", "MET-AVERAGE-003");
    moving_average average;
    for (const double bad :
         {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), -1.0}) {
        average.add(bad);
        EXPECT_EQ(average.value(), std::nullopt);
    }
    average.add(std::numeric_limits<double>::max());
    average.add(std::numeric_limits<double>::max());
    EXPECT_TRUE(std::isfinite(average.value().value()));
    average.add(std::nan(""));
    EXPECT_TRUE(std::isfinite(average.value().value()));
}

std::pair<std::uint64_t, std::uint64_t> read(const rolling_health& health, base::instant now) {
    const auto counts = health.read(now);
    return {counts.successes, counts.failures};
}

using record = std::pair<std::uint64_t, std::uint64_t>;

TEST(rolling_health, counts_successes_and_failures) {
    RecordProperty("rules", "MET-HEALTH-001");
    rolling_health health;
    EXPECT_EQ(read(health, start), record(0, 0));
    health.add(start, true);
    health.add(start + 1s, false);
    health.add(start + 100s, true);
    EXPECT_EQ(read(health, start + 100s), record(2, 1));
}

// In buckets of ten seconds: a record of 12,349.9 s leaves with the one of 12,340 s
TEST(rolling_health, forgets_after_ten_minutes) {
    RecordProperty("rules", "MET-HEALTH-003");
    rolling_health health;
    health.add(start, true);
    health.add(start + 10s - 1ns, false);
    health.add(start + 10s, false);
    EXPECT_EQ(read(health, start + 600s - 1ns), record(1, 2));
    EXPECT_EQ(read(health, start + 600s), record(0, 1));
    EXPECT_EQ(read(health, start + 610s - 1ns), record(0, 1));
    EXPECT_EQ(read(health, start + 610s), record(0, 0));
}

// Reading does not forget, and adding forgets what reading no longer counts
TEST(rolling_health, forgets_the_same_by_reading_and_by_adding) {
    RecordProperty("rules", "MET-HEALTH-003");
    rolling_health health;
    for (int i = 0; i < 120; ++i) {
        const auto at = start + i * 7s;
        health.add(at, i % 3 != 0);
        std::uint64_t successes = 0;
        std::uint64_t failures = 0;
        const auto slot = [](base::instant t) { return t.time_since_epoch() / 10s; };
        for (int k = 0; k <= i; ++k) {
            if (slot(at + 65s) - slot(start + k * 7s) < 60) ++(k % 3 != 0 ? successes : failures);
        }
        EXPECT_EQ(read(health, at + 65s), record(successes, failures)) << i;
    }
}

TEST(rolling_health, begins_anew_after_a_long_silence) {
    rolling_health health;
    health.add(start, false);
    health.add(start + 86'400s, true);
    EXPECT_EQ(read(health, start + 86'400s), record(1, 0));
}

// Clocks of threads differ by a little
TEST(rolling_health, takes_samples_that_come_late) {
    rolling_health health;
    health.add(start + 20s, true);
    health.add(start, false);
    EXPECT_EQ(read(health, start), record(1, 1));
    EXPECT_EQ(read(health, start + 600s), record(1, 0));
    health.add(start - 600s, false);
    EXPECT_EQ(read(health, start + 20s), record(1, 1));
}

} // namespace
} // namespace turnout::routing
