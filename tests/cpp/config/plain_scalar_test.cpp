#include <gtest/gtest.h>

#include "config/plain_scalar.hpp"

namespace turnout::config {
namespace {

TEST(PlainScalar, IsAStringUnlessYamlReadsItOtherwise) {
    for (const std::string_view text : {"true", "True", "FALSE", "0", "-12", "+12", "007", "0o17", "0xfF", "1.5", ".5",
                                        "1.", "1e3", "-1.5E-3", ".inf", "-.INF", ".nan"}) {
        EXPECT_FALSE(is_plain_string(text)) << text;
    }
    for (const std::string_view text : {"gpt", "yes", "on", "tRUE", "1.2.3", "127.0.0.1", "12a", "0o8", "0xg", "0x",
                                        "-", "+", ".", "1e", "e3", "-.nan", "1_000", "sk-1", "${A}"}) {
        EXPECT_TRUE(is_plain_string(text)) << text;
    }
}

TEST(PlainScalar, ParsesOnlyBareDecimals) {
    EXPECT_EQ(parse_decimal("0"), 0);
    EXPECT_EQ(parse_decimal("-5"), -5);
    EXPECT_EQ(parse_decimal("9223372036854775807"), 9'223'372'036'854'775'807);
    for (const std::string_view text : {"", "-", "+5", "05", "-05", "5 ", "1e3", "5.0", "9223372036854775808"}) {
        EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
    }
}

} // namespace
} // namespace turnout::config
