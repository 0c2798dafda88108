#include <chrono>
#include <limits>

#include <gtest/gtest.h>

#include "routing/retry_wait.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

TEST(retry_wait, doubles_from_half_a_second_up_to_eight) {
    RecordProperty("rules", "RTY-WAIT-001");
    EXPECT_EQ(backoff(1), 500ms);
    EXPECT_EQ(backoff(2), 1s);
    EXPECT_EQ(backoff(3), 2s);
    EXPECT_EQ(backoff(4), 4s);
    EXPECT_EQ(backoff(5), 8s);
    EXPECT_EQ(backoff(6), 8s);
    EXPECT_EQ(backoff(std::numeric_limits<unsigned>::max()), 8s);
}

TEST(retry_wait, grows_by_up_to_a_quarter) {
    RecordProperty("rules", "RTY-WAIT-005");
    EXPECT_EQ(with_jitter(4s, 0), 4s);
    EXPECT_EQ(with_jitter(4s, 0.5), 4500ms);
    EXPECT_LT(with_jitter(4s, 1 - 0x1p-53), 5s);
    EXPECT_GT(with_jitter(4s, 1 - 0x1p-53), 4999ms);
    EXPECT_EQ(with_jitter(0s, 0.5), 0s);
}

} // namespace
} // namespace turnout::routing
