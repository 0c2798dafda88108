#include <chrono>

#include <gtest/gtest.h>

#include "gateway/websocket_refusals.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;

TEST(websocket_refusals, are_answers_that_name_no_such_thing) {
    RecordProperty("rules", "WS-UP-004 WS-UP-005");
    for (const int status : {200, 204, 299, 404, 405, 426, 501})
        EXPECT_TRUE(websocket_refusals::refuses(status)) << status;
    for (const int status : {199, 300, 400, 401, 403, 406, 425, 427, 429, 500, 502, 503})
        EXPECT_FALSE(websocket_refusals::refuses(status)) << status;
}

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
