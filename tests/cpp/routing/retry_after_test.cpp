#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "routing/retry_after.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using wait = std::optional<base::milliseconds>;

constexpr base::wall_ms now{784'111'777'000}; // Sun, 06 Nov 1994 08:49:37 GMT

wait asked(const std::vector<std::pair<std::string_view, std::string_view>>& headers) {
    retry_hints hints;
    for (const auto& [name, value] : headers) hints.see(name, value);
    return hints.asked(now);
}

wait refilled(const std::vector<std::pair<std::string_view, std::string_view>>& headers) {
    retry_hints hints;
    for (const auto& [name, value] : headers) hints.see(name, value);
    return hints.refill(now);
}

TEST(retry_hints, find_nothing_where_nothing_is_said) {
    EXPECT_EQ(asked({}), std::nullopt);
    EXPECT_EQ(asked({{"content-type", "application/json"}, {"date", "Sun, 06 Nov 1994 08:49:37 GMT"}}), std::nullopt);
}

TEST(retry_hints, take_milliseconds_first) {
    EXPECT_EQ(asked({{"retry-after", "7"}, {"retry-after-ms", "1500"}}), 1500ms);
    EXPECT_EQ(asked({{"retry-after-ms", "0.2"}}), 1ms);
}

TEST(retry_hints, take_seconds_with_a_fraction) {
    EXPECT_EQ(asked({{"Retry-After", "2"}}), 2s);
    EXPECT_EQ(asked({{"Retry-After", "1.1"}}), 1100ms);
    EXPECT_EQ(asked({{"Retry-After", "0"}}), 0ms);
}

TEST(retry_hints, compare_a_date_with_the_answers_own) {
    EXPECT_EQ(asked({{"retry-after", "Sun, 06 Nov 1994 10:00:02 GMT"}, {"date", "Sun, 06 Nov 1994 10:00:00 GMT"}}), 2s);
}

TEST(retry_hints, compare_a_date_with_now_where_the_answer_has_none) {
    EXPECT_EQ(asked({{"retry-after", "Sun, 06 Nov 1994 08:49:39 GMT"}}), 2s);
    EXPECT_EQ(asked({{"retry-after", "Sun, 06 Nov 1994 08:49:39 GMT"}, {"date", "today"}}), 2s);
}

TEST(retry_hints, ignore_what_makes_no_sense) {
    for (const auto* value : {"", "-1", "nan", "inf", "+5", "5 s", "1e9999", "soon", "Sun, 06 Nov 1994 08:49:36 GMT"}) {
        EXPECT_EQ(asked({{"retry-after", value}}), std::nullopt) << value;
        EXPECT_EQ(asked({{"retry-after-ms", value}, {"retry-after", "3"}}), 3s) << value;
    }
}

TEST(retry_hints, know_no_wait_longer_than_a_day) {
    EXPECT_EQ(asked({{"retry-after", "86401"}}), 24h);
    EXPECT_EQ(asked({{"retry-after", std::string_view{"99999999999999999999999999"}}}), 24h);
    EXPECT_EQ(asked({{"retry-after", "Sun, 06 Nov 2094 08:49:37 GMT"}}), 24h);
}

TEST(retry_hints, take_the_reset_of_the_bucket_that_is_empty) {
    EXPECT_EQ(refilled({{"x-ratelimit-remaining-requests", "10"},
                        {"x-ratelimit-reset-requests", "1s"},
                        {"x-ratelimit-remaining-tokens", "0"},
                        {"x-ratelimit-reset-tokens", "6m0s"}}),
              6min);
    EXPECT_EQ(refilled({{"x-ratelimit-remaining-requests", "10"}, {"x-ratelimit-reset-requests", "1s"}}), std::nullopt);
    EXPECT_EQ(refilled({{"x-ratelimit-reset-requests", "1s"}}), std::nullopt);
    EXPECT_EQ(refilled({{"x-ratelimit-remaining-requests", "0"}}), std::nullopt);
}

TEST(retry_hints, wait_for_the_last_of_the_empty_buckets) {
    EXPECT_EQ(refilled({{"x-ratelimit-remaining-requests", "0"},
                        {"x-ratelimit-reset-requests", "12ms"},
                        {"x-ratelimit-remaining-tokens", "0"},
                        {"x-ratelimit-reset-tokens", "3s"}}),
              3s);
}

TEST(retry_hints, know_anthropics_names_and_dates) {
    EXPECT_EQ(refilled({{"anthropic-ratelimit-input-tokens-remaining", "0"},
                        {"anthropic-ratelimit-input-tokens-reset", "1994-11-06T08:49:47Z"},
                        {"anthropic-ratelimit-input-tokens-limit", "1000"},
                        {"anthropic-ratelimit-requests-remaining", "5"},
                        {"anthropic-ratelimit-requests-reset", "1994-11-06T09:49:37Z"}}),
              10s);
}

TEST(retry_hints, tell_seconds_from_times_since_the_epoch) {
    const auto reset = [](std::string_view value) {
        return refilled({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", value}});
    };
    EXPECT_EQ(reset("30"), 30s);
    EXPECT_EQ(reset("784111780"), 3s);
    EXPECT_EQ(reset("784111780500"), 3500ms);
    EXPECT_EQ(reset("784111776"), std::nullopt);
    EXPECT_EQ(reset("784111777"), std::nullopt);
    EXPECT_EQ(reset("0"), std::nullopt);
    EXPECT_EQ(refilled({{"x-ratelimit-reset", "784111780"}}), 3s);
}

TEST(retry_hints, know_buckets_that_say_whether_they_reject) {
    EXPECT_EQ(refilled({{"anthropic-ratelimit-unified-5h-status", "rejected"},
                        {"anthropic-ratelimit-unified-5h-reset", "784111787"},
                        {"anthropic-ratelimit-unified-7d-status", "allowed"},
                        {"anthropic-ratelimit-unified-7d-reset", "784119999"}}),
              10s);
    EXPECT_EQ(refilled({{"anthropic-ratelimit-unified-status", "Rejected"},
                        {"anthropic-ratelimit-unified-reset", "784111787"}}),
              10s);
}

TEST(retry_hints, keep_what_is_asked_for_apart_from_what_is_empty) {
    retry_hints hints;
    hints.see("x-ratelimit-remaining-requests", "0");
    hints.see("x-ratelimit-reset-requests", "9s");
    EXPECT_EQ(hints.asked(now), std::nullopt);
    hints.see("retry-after", "1");
    EXPECT_EQ(hints.asked(now), 1s);
    EXPECT_EQ(hints.refill(now), 9s);
}

TEST(retry_hints, do_not_believe_a_bucket_with_less_than_nothing) {
    for (const auto* remaining : {"-1", "nan", "", "0x0"}) {
        EXPECT_EQ(refilled({{"x-ratelimit-remaining-tokens", remaining}, {"x-ratelimit-reset-tokens", "9s"}}),
                  std::nullopt)
            << remaining;
    }
}

TEST(go_duration, is_read) {
    EXPECT_EQ(parse_go_duration("6m0s"), 6min);
    EXPECT_EQ(parse_go_duration("1s"), 1s);
    EXPECT_EQ(parse_go_duration("12ms"), 12ms);
    EXPECT_EQ(parse_go_duration("1h2m3.5s"), 1h + 2min + 3500ms);
    EXPECT_EQ(parse_go_duration("250us"), 1ms);
    EXPECT_EQ(parse_go_duration("2500\xC2\xB5s"), 3ms);
    EXPECT_EQ(parse_go_duration("9m38.016s"), 9min + 38016ms);
}

TEST(go_duration, is_refused_if_anything_is_odd) {
    for (const auto* text : {"", "1", "s", "1x", "-1s", "1s ", "1 s"})
        EXPECT_EQ(parse_go_duration(text), std::nullopt) << text;
}

} // namespace
} // namespace turnout::routing
