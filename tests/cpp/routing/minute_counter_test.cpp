#include <chrono>
#include <limits>

#include <gmock/gmock.h>

#include "routing/minute_counter.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t begin = 29'000'000 * minute;

base::wall_ms at(std::int64_t since_begin) { return {begin + since_begin}; }

TEST(minute_counter, counts_nothing_at_first) {
    const minute_counter counter;
    EXPECT_EQ(counter.count(at(0)), 0U);
    EXPECT_EQ(counter.count({0}), 0U);
}

TEST(minute_counter, begins_anew_with_each_minute_of_the_wall_clock) {
    RecordProperty("rules", "MET-USAGE-003");
    minute_counter counter;
    counter.add(at(59'000), 3);
    counter.add(at(minute - 1), 4);
    EXPECT_EQ(counter.count(at(minute - 1)), 7U);
    EXPECT_EQ(counter.count(at(minute)), 0U);
    counter.add(at(minute), 1);
    EXPECT_EQ(counter.count(at(minute)), 1U);
    EXPECT_EQ(counter.count(at(2 * minute - 1)), 1U);
    EXPECT_EQ(counter.count(at(2 * minute)), 0U);
}

// Two threads may disagree by a little about where a minute ends
TEST(minute_counter, keeps_its_minute_when_time_goes_back_a_little) {
    minute_counter counter;
    counter.add(at(minute), 2);
    counter.add(at(minute - 1), 1);
    EXPECT_EQ(counter.count(at(0)), 3U);
    EXPECT_EQ(counter.count(at(minute)), 3U);
}

// A clock that was an hour ahead must not block a limit for an hour
TEST(minute_counter, begins_anew_when_time_goes_back_far) {
    minute_counter counter;
    counter.add(at(minute), 2);
    EXPECT_EQ(counter.count(at(-1)), 0U);
    counter.add(at(-1), 1);
    EXPECT_EQ(counter.count(at(-1)), 1U);
    EXPECT_EQ(counter.count(at(0)), 0U);
}

TEST(minute_counter, stays_at_its_end_instead_of_wrapping) {
    minute_counter counter;
    counter.add(at(0), std::numeric_limits<std::uint64_t>::max() - 1);
    counter.add(at(0), 5);
    EXPECT_EQ(counter.count(at(0)), std::numeric_limits<std::uint64_t>::max());
}

TEST(minute_counter, knows_how_long_a_minute_still_lasts) {
    EXPECT_EQ(rest_of_minute(at(0)), 60'000ms);
    EXPECT_EQ(rest_of_minute(at(1)), 59'999ms);
    EXPECT_EQ(rest_of_minute(at(minute - 1)), 1ms);
    EXPECT_EQ(rest_of_minute({-1}), 1ms);
    EXPECT_EQ(rest_of_minute({-minute}), 60'000ms);
}

} // namespace
} // namespace turnout::routing
