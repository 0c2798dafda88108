#include <chrono>

#include <gmock/gmock.h>

#include "routing/message_wait.hpp"
#include "routing/retry_after.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

TEST(wait_in_message, is_read) {
    EXPECT_EQ(wait_in_message("rate limit reached. please try again in 9m38.016s. visit"), 9min + 38016ms);
    EXPECT_EQ(wait_in_message("please try again in 20s."), 20s);
    EXPECT_EQ(wait_in_message("try again in 150ms"), 150ms);
    EXPECT_EQ(wait_in_message("try again in 1h2m3s"), 1h + 2min + 3s);
    EXPECT_EQ(wait_in_message("please retry after 30 seconds."), 30s);
    EXPECT_EQ(wait_in_message("retry after 1 second"), 1s);
    EXPECT_EQ(wait_in_message("please retry in 34.074824224s."), 34075ms);
    EXPECT_EQ(wait_in_message("try again after 2 minutes 30 seconds"), 150s);
    EXPECT_EQ(wait_in_message("retry after the reset. retry after 7 seconds"), 7s);
    EXPECT_EQ(wait_in_message("try again in 0s"), 0s);
}

TEST(wait_in_message, is_absent_where_no_time_follows) {
    for (const auto* message :
         {"", "try again in", "try again in ", "try again in 5", "try again in a minute", "try again in -5s",
          "try again in infs", "try again in nans", "retry after 5 apples", "wait 5s", "retry after 5smiles"}) {
        EXPECT_EQ(wait_in_message(message), std::nullopt) << message;
    }
}

TEST(wait_in_message, is_at_most_a_day) {
    EXPECT_EQ(wait_in_message("try again in 25h"), longest_asked_wait);
    EXPECT_EQ(wait_in_message("try again in 99999999999999999999h"), longest_asked_wait);
}

} // namespace
} // namespace turnout::routing
