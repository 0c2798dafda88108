#include <chrono>

#include <gtest/gtest.h>

#include "net/clock.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;

TEST(clock, that_is_manual_stands_still_until_moved) {
    clock time(clock::mode::manual);
    EXPECT_TRUE(time.manual());
    const auto start = time.now();
    EXPECT_EQ(time.now(), start);
    time.move_to(start + 1500ms);
    EXPECT_EQ(time.now(), start + 1500ms);
}

TEST(clock, moves_wall_time_together_with_steady_time) {
    clock time(clock::mode::manual);
    const auto steady = time.now();
    const auto wall = time.wall().value;
    time.move_to(steady + 61s);
    EXPECT_EQ(time.wall().value - wall, 61'000);
}

TEST(clock, is_never_moved_back) {
    clock time(clock::mode::manual);
    const auto start = time.now();
    time.move_to(start + 5s);
    time.move_to(start + 2s);
    EXPECT_EQ(time.now(), start + 5s);
}

TEST(clock, let_run_goes_on_from_where_it_stood) {
    clock time(clock::mode::manual);
    const auto moved = time.now() + 24h;
    const auto wall = time.wall().value + std::chrono::milliseconds(24h).count();
    time.move_to(moved);
    time.let_run();
    EXPECT_FALSE(time.manual());
    EXPECT_GE(time.now(), moved);
    EXPECT_LT(time.now(), moved + 1h);
    EXPECT_GE(time.wall().value, wall);
    const auto before = time.now();
    time.let_run();
    EXPECT_GE(time.now(), before);
}

TEST(clock, that_is_real_runs_by_itself) {
    clock time(clock::mode::real);
    EXPECT_FALSE(time.manual());
    const auto first = time.now();
    const auto machine = std::chrono::system_clock::now().time_since_epoch();
    EXPECT_GE(time.now(), first);
    EXPECT_GE(time.wall().value, std::chrono::duration_cast<std::chrono::milliseconds>(machine).count());
}

} // namespace
} // namespace turnout::net
