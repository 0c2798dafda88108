#include <string>

#include <gmock/gmock.h>

#include "routing/wall_time.hpp"

namespace turnout::routing {
namespace {

constexpr std::int64_t never = -1;

std::int64_t http(std::string_view text) { return parse_http_date(text).value_or(base::wall_ms{never}).value; }
std::int64_t rfc3339(std::string_view text) { return parse_rfc3339(text).value_or(base::wall_ms{never}).value; }

TEST(http_date, is_read) {
    EXPECT_EQ(http("Sun, 06 Nov 1994 08:49:37 GMT"), 784'111'777'000);
    EXPECT_EQ(http("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
    EXPECT_EQ(http("Thu, 29 Feb 2024 23:59:59 GMT"), 1'709'251'199'000);
}

TEST(http_date, is_read_in_older_forms) {
    EXPECT_EQ(http("Sunday, 06-Nov-94 08:49:37 GMT"), 784'111'777'000);
    EXPECT_EQ(http("Thursday, 01-Jan-70 00:00:00 GMT"), 0);
    EXPECT_EQ(http("Thursday, 29-Feb-24 23:59:59 GMT"), 1'709'251'199'000);
    EXPECT_EQ(http("Sun Nov  6 08:49:37 1994"), 784'111'777'000);
    EXPECT_EQ(http("Thu Feb 29 23:59:59 2024"), 1'709'251'199'000);
}

TEST(http_date, is_refused_if_anything_is_odd) {
    for (const auto* text : {"",
                             "soon",
                             "Sun, 6 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 1994 08:49:37",
                             "Sun, 06 Nov 1994 24:00:00 GMT",
                             "Sun, 06 Nov 1994 08:60:00 GMT",
                             "Sun, 30 Feb 2024 08:49:37 GMT",
                             "Sun, 06 nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 1994 08:49:37 GMT ",
                             "Sun, 06 Nov 1994 08:49:37 CET",
                             "Sun, +6 Nov 1994 08:49:37 GMT",
                             "Xyz, 06 Nov 1994 08:49:37 GMT",
                             "Sunday, 06-Nov-94 08:49:37",
                             "Sun, 06-Nov-94 08:49:37 GMT",
                             "Sunday, 6-Nov-94 08:49:37 GMT",
                             "Someday, 06-Nov-94 08:49:37 GMT",
                             "Sunday",
                             "Sun Nov 6 08:49:37 1994",
                             "Sun Nov  6 08:49:37 1994 GMT",
                             "Sun Nov  6 08:49:37 94",
                             "Sun Nov 006 08:49:37 1994"}) {
        EXPECT_EQ(http(text), never) << text;
    }
}

// However the text is cut short, it is no date
TEST(http_date, is_refused_if_cut_short_anywhere) {
    const std::string whole = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_EQ(http(whole.substr(0, size)), never) << size;
}

TEST(rfc3339, is_read) {
    EXPECT_EQ(rfc3339("1994-11-06T08:49:37Z"), 784'111'777'000);
    EXPECT_EQ(rfc3339("1994-11-06T08:49:37.25Z"), 784'111'777'250);
    EXPECT_EQ(rfc3339("1994-11-06T08:49:37.123456789Z"), 784'111'777'123);
    EXPECT_EQ(rfc3339("1994-11-06T10:49:37+02:00"), 784'111'777'000);
    EXPECT_EQ(rfc3339("1994-11-06T06:19:37-02:30"), 784'111'777'000);
}

TEST(rfc3339, is_refused_if_anything_is_odd) {
    for (const auto* text : {"", "1994-11-06", "1994-11-06T08:49:37", "1994-11-06T08:49:37.Z", "1994-13-06T08:49:37Z",
                             "1994-11-06 08:49:37Z", "1994-11-06T08:49:37Zx", "1994-11-06T08:49:37+0200"}) {
        EXPECT_EQ(rfc3339(text), never) << text;
    }
}

} // namespace
} // namespace turnout::routing
