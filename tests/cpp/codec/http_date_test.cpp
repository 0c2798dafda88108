#include <gtest/gtest.h>

#include "codec/http_date.hpp"

namespace turnout::codec {
namespace {

TEST(date_line_test, says_the_second_in_the_fixed_form_of_http) {
    date_line line;
    EXPECT_EQ(line.at({0}), "date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
    EXPECT_EQ(line.at({784'111'777'000}), "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    EXPECT_EQ(line.at({951'782'400'000}), "date: Tue, 29 Feb 2000 00:00:00 GMT\r\n");
    EXPECT_EQ(line.at({1'796'083'199'000}), "date: Mon, 30 Nov 2026 23:59:59 GMT\r\n");
    EXPECT_EQ(line.at({253'402'300'799'000}), "date: Fri, 31 Dec 9999 23:59:59 GMT\r\n");
}

TEST(date_line_test, changes_with_the_second_and_not_before) {
    date_line line;
    const auto first = line.at({784'111'777'000});
    EXPECT_EQ(line.at({784'111'777'999}), first);
    EXPECT_EQ(line.at({784'111'778'000}), "date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
    EXPECT_EQ(line.at({784'111'777'999}), "date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
}

} // namespace
} // namespace turnout::codec
