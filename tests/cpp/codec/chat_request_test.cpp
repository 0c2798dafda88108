#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/chat/request.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"
#include "codec/json_string.hpp"

namespace turnout::codec::chat {
namespace {

std::string upstream_body(std::string_view body, std::string_view model, bool ask_usage) {
    const auto parsed = parse_request(body);
    const auto* request = std::get_if<contract_request>(&parsed);
    if (request == nullptr) return "refused: " + std::get<request_problem>(parsed).message;
    std::string out;
    apply(body, upstream_edits(*request, json::to_json_string(model), ask_usage), out);
    EXPECT_TRUE(json::is_json(out)) << out;
    return out;
}

TEST(chat_request, reads_what_the_gateway_needs) {
    const std::string_view body =
        R"({"messages":[{"role":"user","content":"hi"}],"model":"gp\u0074","stream":true,"n":3,)"
        R"("stream_options":{"include_usage":true},"x":{"model":"inner"}})";
    const auto parsed = parse_request(body);
    ASSERT_TRUE(std::holds_alternative<contract_request>(parsed));
    const auto& request = std::get<contract_request>(parsed);
    EXPECT_EQ(request.model, "gpt");
    EXPECT_EQ(body.substr(request.model_offset, request.model_length), R"("gp\u0074")");
    EXPECT_TRUE(request.stream);
    EXPECT_EQ(request.n, 3U);
    EXPECT_TRUE(request.include_usage);
    EXPECT_TRUE(request.edits.empty());
}

TEST(chat_request, has_defaults) {
    for (const char* body : {R"({"model":"m","messages":[]})",
                             R"( {"model":"m","messages":[],"stream":null,"n":null,"stream_options":null} )"}) {
        const auto parsed = parse_request(body);
        ASSERT_TRUE(std::holds_alternative<contract_request>(parsed)) << body;
        const auto& request = std::get<contract_request>(parsed);
        EXPECT_FALSE(request.stream);
        EXPECT_EQ(request.n, 1U);
        EXPECT_FALSE(request.include_usage);
        EXPECT_TRUE(request.edits.empty());
    }
}

TEST(chat_request, knows_a_member_by_its_decoded_name) {
    EXPECT_EQ(upstream_body(R"({"\u006dodel":"m","messages":[]})", "up", false),
              R"({"\u006dodel":"up","messages":[]})");
}

struct edit_row {
    std::string options; ///< text after the messages
    std::string expected_head;
    std::string expected_options;
};

class usage_edits : public testing::TestWithParam<edit_row> {};

TEST_P(usage_edits, ask_for_usage_and_touch_nothing_else) {
    const std::string body = R"({ "model":"m","messages":[],"stream":true)" + GetParam().options + "}";
    EXPECT_EQ(upstream_body(body, "up\"1", true), "{" + GetParam().expected_head
                                                      + R"( "model":"up\"1","messages":[],"stream":true)"
                                                      + GetParam().expected_options + "}");
    EXPECT_EQ(upstream_body(body, "m", false), body);
}

INSTANTIATE_TEST_SUITE_P(
    chat_request, usage_edits,
    testing::Values(
        edit_row{"", R"("stream_options":{"include_usage":true},)", ""},
        edit_row{R"(,"stream_options":null)", "", R"(,"stream_options":{"include_usage":true})"},
        edit_row{R"(,"stream_options":{})", "", R"(,"stream_options":{"include_usage":true})"},
        edit_row{R"(,"stream_options": { "x":1 })", "", R"(,"stream_options": {"include_usage":true, "x":1 })"},
        edit_row{R"(,"stream_options":{"include_usage":false,"x":1})", "",
                 R"(,"stream_options":{"include_usage":true,"x":1})"},
        edit_row{R"(,"stream_options":{"include_usage": null})", "", R"(,"stream_options":{"include_usage": true})"},
        edit_row{R"(,"stream_options":{"include_usage":true})", "", R"(,"stream_options":{"include_usage":true})"}));

TEST(chat_request, leaves_usage_alone_without_a_stream) {
    EXPECT_EQ(upstream_body(R"({"model":"m","messages":[],"stream_options":{"include_usage":false}})", "up", true),
              R"({"model":"up","messages":[],"stream_options":{"include_usage":false}})");
}

TEST(chat_request, compares_names_and_not_how_they_are_written) {
    const std::string quoted = R"({"model":"a\"b","messages":[]})";
    EXPECT_EQ(upstream_body(quoted, "a\"b", true), quoted);
    EXPECT_EQ(upstream_body(R"({"model":"a\\\"b","messages":[]})", "a\"b", true), quoted);
}

TEST(chat_request, edits_options_that_stand_before_the_model) {
    EXPECT_EQ(upstream_body(R"({"stream_options":{},"stream":true,"messages":[],"model":"m"})", "up", true),
              R"({"stream_options":{"include_usage":true},"stream":true,"messages":[],"model":"up"})");
}

struct problem_row {
    std::string body;
    std::string code;
    std::string param;
    std::string message;
};

class refusals : public testing::TestWithParam<problem_row> {};

TEST_P(refusals, name_the_member_and_what_it_wants) {
    const auto parsed = parse_request(GetParam().body);
    ASSERT_TRUE(std::holds_alternative<request_problem>(parsed)) << GetParam().body;
    const auto& problem = std::get<request_problem>(parsed);
    EXPECT_EQ(problem.status, 400);
    EXPECT_EQ(problem.code, GetParam().code);
    EXPECT_EQ(problem.param, GetParam().param);
    EXPECT_EQ(problem.message, GetParam().message);
}

std::string with(const std::string& members) { return R"({"model":"m","messages":[],)" + members + "}"; }

problem_row duplicate(const std::string& members, const std::string& param) {
    return {with(members), "duplicate_member", param, "'" + param + "' appears more than once."};
}

const std::string n_message = "'n' must be an integer from 1 to 128 or null.";

INSTANTIATE_TEST_SUITE_P(
    chat_request, refusals,
    testing::Values(
        problem_row{"", "invalid_json", "", "The body is empty; a JSON object is expected."},
        problem_row{" \n", "invalid_json", "", "The body is empty; a JSON object is expected."},
        problem_row{"hello", "invalid_json", "", "The body is not valid JSON (byte 0)."},
        problem_row{R"({"model":"m","messages":[]}x)", "invalid_json", "", "The body is not valid JSON (byte 27)."},
        problem_row{R"({"model":"m","messages":[{"a":01}]})", "invalid_json", "",
                    "The body is not valid JSON (byte 31)."},
        problem_row{"[]", "invalid_type", "", "The body must be a JSON object."},
        problem_row{"null", "invalid_type", "", "The body must be a JSON object."},
        problem_row{with("\"x\":\"\xFF\""), "invalid_json", "", "The body is not valid UTF-8."},
        problem_row{with("\"x\":" + std::string(128, '[') + std::string(128, ']')), "invalid_json", "",
                    "The body is nested deeper than 128 levels."},
        problem_row{R"({"messages":[]})", "missing_required_parameter", "model", "'model' is required."},
        problem_row{R"({"model":"m"})", "missing_required_parameter", "messages", "'messages' is required."},
        problem_row{R"({"model":"","messages":[]})", "invalid_value", "model", "'model' must not be empty."},
        problem_row{R"({"model":null,"messages":[]})", "invalid_type", "model", "'model' must be a string."},
        problem_row{R"({"model":"m","messages":{}})", "invalid_type", "messages", "'messages' must be an array."},
        problem_row{with(R"("stream":"true")"), "invalid_type", "stream", "'stream' must be a boolean."},
        problem_row{with(R"("stream":1)"), "invalid_type", "stream", "'stream' must be a boolean."},
        problem_row{with(R"("n":0)"), "invalid_value", "n", n_message},
        problem_row{with(R"("n":129)"), "invalid_value", "n", n_message},
        problem_row{with(R"("n":1.5)"), "invalid_value", "n", n_message},
        problem_row{with(R"("n":"1")"), "invalid_type", "n", n_message},
        problem_row{with(R"("stream_options":[])"), "invalid_type", "stream_options",
                    "'stream_options' must be an object or null."},
        problem_row{with(R"("stream_options":{"include_usage":1})"), "invalid_type", "stream_options.include_usage",
                    "'stream_options.include_usage' must be a boolean."},
        duplicate(R"("model":"m")", "model"), duplicate(R"("mode\u006c":"x")", "model"),
        duplicate(R"("messages":[])", "messages"), duplicate(R"("stream":true,"stream":true)", "stream"),
        duplicate(R"("n":1,"n":1)", "n"), duplicate(R"("stream_options":{},"stream_options":null)", "stream_options"),
        duplicate(R"("stream_options":{"include_usage":true,"include_usage":true})", "stream_options.include_usage")));

TEST(chat_request, takes_n_up_to_its_edges_and_unread_duplicates) {
    for (const char* members : {R"("n":1)", R"("n":128)", R"("x":1,"x":2)", R"("stream":false)"}) {
        EXPECT_TRUE(std::holds_alternative<contract_request>(parse_request(with(members)))) << members;
    }
}

} // namespace
} // namespace turnout::codec::chat
