#include <gtest/gtest.h>

#include "config/json_text.hpp"

namespace turnout::config {
namespace {

TEST(JsonText, JoinsEscapedSurrogatePairs) {
    EXPECT_EQ(join_surrogate_pairs(R"({"a":"x\ud83d\uDE00y"})"), "{\"a\":\"x\xF0\x9F\x98\x80y\"}");
    EXPECT_EQ(join_surrogate_pairs(R"(["\udbff\udfff"])"), "[\"\xF4\x8F\xBF\xBF\"]");
}

TEST(JsonText, LeavesOtherEscapesAlone) {
    for (const std::string_view text : {R"(["\u00e9\n\\ud83d"])", R"(["\\\u0041\"\\"])", "[1]"}) {
        EXPECT_EQ(join_surrogate_pairs(text), text);
    }
}

TEST(JsonText, LeavesWhatIsNoJsonAlone) {
    for (const std::string_view text : {R"(a: '\ud83d\ude00')", R"(["\ud83d"])"}) {
        EXPECT_EQ(join_surrogate_pairs(text), text);
    }
}

} // namespace
} // namespace turnout::config
