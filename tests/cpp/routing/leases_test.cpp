#include <chrono>

#include <gmock/gmock.h>

#include "routing/leases.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

constexpr base::instant start{100s};

TEST(leases, count_what_is_held) {
    leases l;
    EXPECT_EQ(l.count(start), 0U);
    l.hold(start, 1, start + 60s);
    l.hold(start, 2, start + 60s);
    EXPECT_EQ(l.count(start), 2U);
    l.release(1);
    EXPECT_EQ(l.count(start), 1U);
}

// Never negative
TEST(leases, do_not_miss_what_is_not_held) {
    leases l;
    l.release(7);
    l.hold(start, 1, start + 60s);
    l.release(1);
    l.release(1);
    EXPECT_EQ(l.count(start), 0U);
}

TEST(leases, end_exactly_at_their_expiry) {
    leases l;
    l.hold(start, 1, start + 60s);
    EXPECT_EQ(l.count(start + 60s - 1ns), 1U);
    EXPECT_EQ(l.count(start + 60s), 0U);
}

TEST(leases, last_longer_when_held_on_to) {
    leases l;
    l.hold(start, 1, start + 60s);
    l.hold(start + 20s, 1, start + 80s);
    EXPECT_EQ(l.count(start + 80s - 1ns), 1U);
    EXPECT_EQ(l.count(start + 80s), 0U);
}

// A long silence of a living owner: the slot is taken again, also after others have been taken
TEST(leases, are_taken_again_after_their_end) {
    leases l;
    l.hold(start, 1, start + 60s);
    for (lease_number n = 2; n < 100; ++n) l.hold(start + 70s, n, start + 130s);
    EXPECT_EQ(l.count(start + 70s), 98U);
    l.hold(start + 70s, 1, start + 130s);
    EXPECT_EQ(l.count(start + 70s), 99U);
    l.release(1);
    EXPECT_EQ(l.count(start + 70s), 98U);
}

} // namespace
} // namespace turnout::routing
