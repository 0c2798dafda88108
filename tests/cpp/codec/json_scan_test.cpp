#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/json_scan.hpp"

namespace turnout::codec::json {
namespace {

using testing::ElementsAre;

fault fault_of(std::string_view text) {
    scanner s(text);
    if (s.skip()) s.finish();
    return s.problem();
}

/// Walks objects and arrays member by member instead of skipping, so that both ways can be compared.
bool walk(scanner& s) {
    string_token name;
    switch (s.peek()) {
    case kind::object:
        if (!s.begin_object()) return false;
        while (s.next_member(name)) walk(s);
        break;
    case kind::array:
        if (!s.begin_array()) return false;
        while (s.next_element()) walk(s);
        break;
    case kind::string:
    case kind::number:
    case kind::boolean:
    case kind::null:
    case kind::none: s.skip();
    }
    return s.problem() == fault::none;
}

fault fault_of_walk(std::string_view text) {
    scanner s(text);
    if (walk(s)) s.finish();
    return s.problem();
}

std::string nested(unsigned depth) { return std::string(depth, '[') + std::string(depth, ']'); }

class valid_texts : public testing::TestWithParam<std::string> {};

TEST_P(valid_texts, pass_however_they_are_read) {
    EXPECT_EQ(fault_of(GetParam()), fault::none);
    EXPECT_EQ(fault_of_walk(GetParam()), fault::none);
}

INSTANTIATE_TEST_SUITE_P(json, valid_texts,
                         testing::Values("{}", "[]", " \t\r\n{} \n", "0", "-0", "10", "-1.5", "1e9", "1E+9", "0.1e-2",
                                         "true", "false", "null", R"("")", R"("a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00")",
                                         R"({"a":{"b":[1,[2],{}]},"c":[]})", R"([ 1 , 2 , { "a" : null } ])",
                                         R"("\ud800")", "\"\x7f\"", "\"\xC3\xA9\xF0\x9F\x98\x80\"",
                                         "\"0123456789abcdef0123456789abcdef\"", nested(max_depth)));

struct bad_text {
    std::string text;
    fault expected;
};

class invalid_texts : public testing::TestWithParam<bad_text> {};

TEST_P(invalid_texts, are_refused_however_they_are_read) {
    EXPECT_EQ(fault_of(GetParam().text), GetParam().expected) << GetParam().text;
    EXPECT_EQ(fault_of_walk(GetParam().text), GetParam().expected) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    json, invalid_texts,
    testing::Values(bad_text{"", fault::syntax}, bad_text{"  ", fault::syntax}, bad_text{"{", fault::syntax},
                    bad_text{"[", fault::syntax}, bad_text{"{]", fault::syntax}, bad_text{"[}", fault::syntax},
                    bad_text{"[1,]", fault::syntax}, bad_text{"[,1]", fault::syntax}, bad_text{"[1 2]", fault::syntax},
                    bad_text{R"({"a"})", fault::syntax}, bad_text{R"({"a":})", fault::syntax},
                    bad_text{R"({"a":1,})", fault::syntax}, bad_text{R"({"a":1 "b":2})", fault::syntax},
                    bad_text{R"({a:1})", fault::syntax}, bad_text{R"({,"a":1})", fault::syntax},
                    bad_text{"{}x", fault::syntax}, bad_text{"{}{}", fault::syntax}, bad_text{"01", fault::syntax},
                    bad_text{"-", fault::syntax}, bad_text{"1.", fault::syntax}, bad_text{".5", fault::syntax},
                    bad_text{"1e", fault::syntax}, bad_text{"1e+", fault::syntax}, bad_text{"+1", fault::syntax},
                    bad_text{"tru", fault::syntax}, bad_text{"nulls", fault::syntax}, bad_text{"True", fault::syntax},
                    bad_text{"NaN", fault::syntax}, bad_text{R"("abc)", fault::syntax},
                    bad_text{R"("a\")", fault::syntax}, bad_text{R"("\x")", fault::syntax},
                    bad_text{R"("\u12g4")", fault::syntax}, bad_text{R"("\u12)", fault::syntax},
                    bad_text{"\"a\nb\"", fault::syntax}, bad_text{std::string("\"a\0b\"", 5), fault::syntax},
                    bad_text{"\"0123456789abcde\x1f\"", fault::syntax}, bad_text{"\xEF\xBB\xBF{}", fault::syntax},
                    bad_text{nested(max_depth + 1), fault::depth},
                    bad_text{R"({"a":)" + nested(max_depth) + "}", fault::depth}, bad_text{"\"\xC3\"", fault::utf8},
                    bad_text{"\"\xED\xA0\x80\"", fault::utf8}, bad_text{"{\"\xFF\":1}", fault::utf8},
                    bad_text{"\"0123456789abcdef0123456789\xC0\xAF\"", fault::utf8}));

TEST(scanner, hands_out_members_in_place) {
    const std::string_view text = R"( {"model" : "gpt", "n":[1, {"x":2}] ,"s":true})";
    scanner s(text);
    ASSERT_TRUE(s.begin_object());
    string_token name;
    string_token value;
    std::string_view span;

    ASSERT_TRUE(s.next_member(name));
    EXPECT_TRUE(name.equals("model"));
    ASSERT_TRUE(s.read_string(value));
    EXPECT_EQ(value.raw, "gpt");

    ASSERT_TRUE(s.next_member(name));
    EXPECT_EQ(s.peek(), kind::array);
    ASSERT_TRUE(s.skip(span));
    EXPECT_EQ(span, R"([1, {"x":2}])");
    EXPECT_EQ(text.substr(s.offset_of(span), span.size()), span);

    ASSERT_TRUE(s.next_member(name));
    EXPECT_EQ(s.peek(), kind::boolean);
    ASSERT_TRUE(s.skip(span));
    EXPECT_EQ(span, "true");
    EXPECT_FALSE(s.next_member(name));
    EXPECT_TRUE(s.finish());
}

TEST(scanner, walks_elements) {
    scanner s("[1, [2,3] ,\"x\",[]]");
    ASSERT_TRUE(s.begin_array());
    std::vector<std::string_view> elements;
    std::string_view element;
    while (s.next_element() && s.skip(element)) elements.push_back(element);
    EXPECT_TRUE(s.finish());
    EXPECT_THAT(elements, ElementsAre("1", "[2,3]", "\"x\"", "[]"));
}

// Wherever an escape lies among the blocks that are looked at together.
TEST(scanner, passes_an_object_that_it_knows) {
    const std::string_view text = R"({"a": {"b":1},"c":2})";
    scanner s(text);
    string_token name;
    ASSERT_TRUE(s.begin_object() && s.next_member(name));
    EXPECT_FALSE(s.pass(R"({"b":2})"));
    EXPECT_FALSE(s.pass(R"({"b":1},"c":2}})"));
    EXPECT_TRUE(s.pass(R"({"b":1})"));
    ASSERT_TRUE(s.next_member(name));
    EXPECT_EQ(name.raw, "c");
    EXPECT_TRUE(s.skip() && !s.next_member(name) && s.finish());
    scanner broken("x");
    EXPECT_FALSE(broken.skip() || broken.pass("x"));
}

TEST(scanner, passes_escapes_at_any_place) {
    const std::string one = R"(\\)"; // before it, so that escapes are looked for
    for (std::size_t before = 0; before < 70; ++before) {
        for (std::size_t after : {0U, 1U, 5U, 31U, 32U, 33U, 70U}) {
            const std::string start = '"' + one + std::string(before, 'a');
            const std::string rest = std::string(after, 'z') + R"(\n")";
            for (const auto* const escape : {R"(\")", R"(\\)", R"(\/)", R"(\b)", R"(\f)", R"(\n)", R"(\r)", R"(\t)",
                                             R"(\u00e9)", R"(\uD83D\uDE00)", R"(\\\\\\\")"}) {
                const std::string text = start + escape + rest;
                EXPECT_TRUE(is_json(text)) << text;
                EXPECT_EQ(string_at(text), std::string_view(text).substr(1, text.size() - 2));
            }
            for (const auto* const wrong : {R"(\x)", R"(\u00g9)", R"(\u12)", "\x1F", "\\\n", R"(")", "\xC3"}) {
                const std::string text = start + wrong + rest;
                EXPECT_FALSE(is_json(text)) << text;
                scanner s(text);
                s.skip();
                EXPECT_EQ(s.problem() == fault::none,
                          std::string_view(wrong) == "\"" || std::string_view(wrong) == "\xC3");
                if (*wrong == '\\') {
                    EXPECT_EQ(s.offset(), start.size() + 1);
                }
            }
        }
    }
}

TEST(scanner, keeps_its_first_fault_and_its_place) {
    scanner s(R"({"a":01,"b":2})");
    string_token name;
    ASSERT_TRUE(s.begin_object());
    ASSERT_TRUE(s.next_member(name));
    EXPECT_TRUE(s.skip());
    EXPECT_FALSE(s.next_member(name));
    EXPECT_EQ(s.problem(), fault::syntax);
    EXPECT_EQ(s.offset(), 6U);
    EXPECT_FALSE(s.next_member(name));
    EXPECT_FALSE(s.skip());
    EXPECT_EQ(s.peek(), kind::none);
    EXPECT_FALSE(s.finish());
    EXPECT_EQ(s.offset(), 6U);
}

// Every prefix of a text is no text: nothing is read past the end, and nothing that was cut is taken for whole.
TEST(scanner, refuses_every_prefix) {
    const std::string text = R"({"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{"c":"0123456789abcdefg"}})";
    for (std::size_t length = 0; length < text.size(); ++length) {
        const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_FALSE(is_json(std::string_view(exact.data(), exact.size()))) << length;
    }
    EXPECT_TRUE(is_json(text));
}

TEST(to_integer, reads_what_is_written_as_an_integer) {
    EXPECT_EQ(to_integer("0"), 0);
    EXPECT_EQ(to_integer("-7"), -7);
    EXPECT_EQ(to_integer("9223372036854775807"), 9223372036854775807);
    for (const char* text : {"9223372036854775808", "1.0", "1e3", "", "true", "\"1\""}) {
        EXPECT_EQ(to_integer(text), std::nullopt) << text;
    }
}

} // namespace
} // namespace turnout::codec::json
