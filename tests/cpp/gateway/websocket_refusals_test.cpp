#include <chrono>

#include <gtest/gtest.h>

#include "gateway/websocket_refusals.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;

TEST(websocket_refusals, are_remembered_for_10_minutes) {
    RecordProperty("rules", "WS-UP-004");
    websocket_refusals refusals;
    const base::instant began{1h};
    EXPECT_FALSE(refusals.holds(1, began));
    refusals.note(1, began);
    EXPECT_TRUE(refusals.holds(1, began));
    EXPECT_FALSE(refusals.holds(2, began));
    EXPECT_TRUE(refusals.holds(1, began + 10min - 1ns));
    EXPECT_FALSE(refusals.holds(1, began + 10min));
    refusals.note(1, began + 10min);
    EXPECT_TRUE(refusals.holds(1, began + 20min - 1ns));
}

} // namespace
} // namespace turnout::gateway
