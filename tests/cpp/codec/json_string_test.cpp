#include <string>

#include <gtest/gtest.h>

#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"
#include "codec/utf8.hpp"

namespace turnout::codec::json {
namespace {

string_token token(std::string_view text) {
    scanner s(text);
    string_token value;
    EXPECT_TRUE(s.read_string(value) && s.finish()) << text;
    return value;
}

struct pair {
    std::string json;
    std::string decoded;
};

class decoding : public testing::TestWithParam<pair> {};

TEST_P(decoding, gives_the_characters) {
    const string_token value = token(GetParam().json);
    EXPECT_EQ(value.decode(), GetParam().decoded);
    EXPECT_TRUE(value.equals(GetParam().decoded));
    EXPECT_FALSE(value.equals(GetParam().decoded + "x"));
}

INSTANTIATE_TEST_SUITE_P(json_string, decoding,
                         testing::Values(pair{R"("")", ""}, pair{R"("plain")", "plain"},
                                         pair{R"("\u006dodel")", "model"},
                                         pair{R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
                                         pair{R"("\u00e9\u20AC")", "\xC3\xA9\xE2\x82\xAC"},
                                         pair{R"("a\uD83D\uDE00b")", "a\xF0\x9F\x98\x80"
                                                                     "b"},
                                         pair{R"("\uD83Dx")", "\xEF\xBF\xBDx"},
                                         pair{R"("\uD83D\u0041")", "\xEF\xBF\xBD"
                                                                   "A"},
                                         pair{R"("\uDE00")", "\xEF\xBF\xBD"},
                                         pair{R"("\uD83D\uD83D\uDE00")", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
                                         pair{R"("\u0000")", std::string(1, '\0')}));

class writing : public testing::TestWithParam<pair> {};

TEST_P(writing, escapes_and_stays_json) {
    const std::string json = to_json_string(GetParam().decoded);
    EXPECT_EQ(json, GetParam().json);
    EXPECT_TRUE(is_json(json));
}

INSTANTIATE_TEST_SUITE_P(json_string, writing,
                         testing::Values(pair{R"("")", ""}, pair{R"("a b/c")", "a b/c"},
                                         pair{R"("\"\\\b\f\n\r\t")", "\"\\\b\f\n\r\t"},
                                         pair{R"("\u0000\u001f")", std::string("\0\x1f", 2)},
                                         pair{"\"\xC3\xA9\"", "\xC3\xA9"}, pair{"\"\xEF\xBF\xBD\"", "\xFF"},
                                         pair{"\"a\xEF\xBF\xBD"
                                              "b\"",
                                              "a\xC3"
                                              "b"},
                                         pair{"\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", "\xED\xA0\x80"},
                                         pair{"\"\xEF\xBF\xBD\"", "\xC3"}));

TEST(utf8, tells_sequences_by_length) {
    EXPECT_EQ(utf8_sequence_length(""), 0U);
    EXPECT_EQ(utf8_sequence_length("ab"), 1U);
    EXPECT_EQ(utf8_sequence_length("\xC3\xA9x"), 2U);
    EXPECT_EQ(utf8_sequence_length("\xE2\x82\xAC"), 3U);
    EXPECT_EQ(utf8_sequence_length("\xF0\x9F\x98\x80"), 4U);
    for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x82x", "\xFF"}) {
        EXPECT_EQ(utf8_sequence_length(bad), 0U) << bad;
        EXPECT_FALSE(is_utf8(bad));
    }
}

} // namespace
} // namespace turnout::codec::json
