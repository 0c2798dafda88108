#include <array>
#include <string>

#include <gmock/gmock.h>

#include "routing/sanitize.hpp"

namespace turnout::routing {
namespace {

constexpr auto credentials = std::to_array<std::string_view>({"sk-secret-1", "second/secret+"});

const hidden_words hidden{.upstream_model = "gpt-4o",
                          .public_model = "smart",
                          .base_url = "http://10.0.0.7:9001/v1/",
                          .credentials = credentials};

TEST(sanitize, leaves_an_innocent_message_alone) {
    EXPECT_EQ(sanitize("'temperature' must be at most 2.", hidden), "'temperature' must be at most 2.");
}

TEST(sanitize, shows_the_public_name_in_place_of_the_upstream_model) {
    EXPECT_EQ(sanitize("The model `gpt-4o` is overloaded: gpt-4o", hidden), "The model `smart` is overloaded: smart");
}

// A dated version still names the model; a longer word is another one
TEST(sanitize, replaces_the_upstream_model_as_a_whole_word) {
    EXPECT_EQ(sanitize("gpt-4o-2024-08-06, gpt-4omni, xgpt-4o", hidden), "smart-2024-08-06, gpt-4omni, xgpt-4o");
}

// A public name that contains the upstream's is not replaced over and over
TEST(sanitize, does_not_look_into_what_it_has_put_in) {
    EXPECT_EQ(sanitize("gpt-4o gpt-4o",
                       {.upstream_model = "gpt-4o", .public_model = "my gpt-4o", .base_url = {}, .credentials = {}}),
              "my gpt-4o my gpt-4o");
}

TEST(sanitize, hides_every_credential_wherever_it_stands) {
    EXPECT_EQ(sanitize("key=sk-secret-1; xsk-secret-1x second/secret+", hidden),
              "key=[redacted]; x[redacted]x [redacted]");
}

TEST(sanitize, hides_the_base_url_and_its_parts) {
    EXPECT_EQ(sanitize("POST http://10.0.0.7:9001/v1/chat/completions", hidden), "POST [upstream]/chat/completions");
    EXPECT_EQ(sanitize("no route at http://10.0.0.7:9001", hidden), "no route at [upstream]");
    EXPECT_EQ(sanitize("connect to 10.0.0.7:9001 failed", hidden), "connect to [upstream] failed");
}

TEST(sanitize, has_nothing_to_say_for_markup_and_blank_text) {
    EXPECT_EQ(sanitize("<!DOCTYPE html><title>502</title>", hidden), "");
    EXPECT_EQ(sanitize("\r\n<HTML><body>Bad gateway</body>", hidden), "");
    EXPECT_EQ(sanitize("", hidden), "");
    EXPECT_EQ(sanitize(" \r\n\t", hidden), "");
}

// Angle brackets alone are no markup: models have such tokens
TEST(sanitize, keeps_tokens_in_angle_brackets) {
    EXPECT_EQ(sanitize("<|im_end|> is not allowed", hidden), "<|im_end|> is not allowed");
}

TEST(sanitize, cuts_at_two_thousand_characters) {
    EXPECT_EQ(sanitize(std::string(2000, 'a'), hidden), std::string(2000, 'a'));
    EXPECT_EQ(sanitize(std::string(2001, 'a'), hidden), std::string(2000, 'a'));
}

// Characters, not bytes, and never through the middle of one
TEST(sanitize, cuts_between_characters) {
    std::string text;
    for (int i = 0; i < 2001; ++i) text += "\xE2\x82\xAC"; // the euro sign
    EXPECT_EQ(sanitize(text, hidden), text.substr(0, 6000));
}

// A secret across the edge is hidden before the cut
TEST(sanitize, leaves_no_half_of_a_secret_at_the_edge) {
    const auto result = sanitize(std::string(1995, 'a') + "sk-secret-1", hidden);
    EXPECT_THAT(result, testing::Not(testing::HasSubstr("sk-")));
}

TEST(sanitize, hides_nothing_where_nothing_is_given) { EXPECT_EQ(sanitize("gpt-4o", {}), "gpt-4o"); }

} // namespace
} // namespace turnout::routing
