#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/contracts/responses/answer.hpp"
#include "codec/edits.hpp"
#include "responses_stream.hpp"

namespace turnout::codec::responses {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string gpt = R"("gpt")";

accepted_answer accepted(std::string_view body) {
    auto verdict = instance().check_answer(body, gpt);
    const auto* const report = std::get_if<base::failure_report>(&verdict);
    EXPECT_EQ(report, nullptr) << (report == nullptr ? "" : report->message);
    return report == nullptr ? std::get<accepted_answer>(verdict) : accepted_answer{};
}

TEST(responses_answer, shows_the_public_model_and_keeps_every_other_byte) {
    const std::string value =
        R"({ "model" : "up", "id":"resp_1", "status":"completed", "output":[)" + message_item + R"(], "error":null })";
    const std::string body = "\n\n " + value + "\n";
    const accepted_answer answer = accepted(body);
    std::string out;
    apply(body, answer.edits, out, answer.begin, answer.end);
    std::string wanted = value;
    wanted.replace(wanted.find("up"), 2, "gpt");
    EXPECT_EQ(out, wanted);
    EXPECT_FALSE(answer.usage.has_value());
    EXPECT_THAT(answer.anomalies, IsEmpty());
}

TEST(responses_answer, says_nothing_where_it_is_blank_or_null) {
    RecordProperty("rules", "RSP-STORED-007");
    for (const auto body : {"", " \r\n\t", "null", "\nnull "}) EXPECT_TRUE(says_nothing(body)) << body;
    for (const auto body : {"{}", "nul", "nulls", "\"\"", "[]", "false", "null null"})
        EXPECT_FALSE(says_nothing(body)) << body;
    EXPECT_EQ(deletion(R"("a\"b")"), R"({"id":"a\"b","object":"response","deleted":true})");
}

TEST(responses_answer, about_what_is_stored_is_any_object_that_is_no_error) {
    RecordProperty("rules", "RSP-STORED-002");
    const auto told = [](std::string_view body) { return stored_instance().check_answer(body, gpt); };
    for (const std::string& body :
         {response("failed", "[]"), response("in_progress", "[]"), response("cancelled", "[]"),
          std::string(R"({"id":"resp_1","object":"response.deleted","deleted":true})"),
          std::string(R"({"object":"list","data":[{"id":"msg_1"}],"first_id":"msg_1"})"), std::string("{}"),
          std::string(R"({"id":"resp_1","status":"failed","error":{"code":"server_error","message":"m"}})")})
        EXPECT_TRUE(std::holds_alternative<accepted_answer>(told(body))) << body;
    for (const std::string_view body : {"", "[]", "null", "{", R"({"error":{"message":"m"}})", R"({"object":"error"})"})
        EXPECT_TRUE(std::holds_alternative<base::failure_report>(told(body))) << body;
    const std::string body = R"({"id":"resp_1","model":"up","previous_response_id":"resp_0"})";
    const auto verdict = told(body);
    const auto& answer = std::get<accepted_answer>(verdict);
    EXPECT_EQ(answer.ids.size(), 2U);
    std::string out;
    apply(body, answer.edits, out, answer.begin, answer.end);
    EXPECT_EQ(out, R"({"id":"resp_1","model":"gpt","previous_response_id":"resp_0"})");
}

TEST(responses_answer, takes_metadata_at_the_top_level) {
    const std::string body = response("completed", "[" + message_item + "]");
    accepted_answer answer = accepted(body);
    const std::string metadata = R"({"served_model":"gpt"})";
    instance().insert_metadata(body, answer.edits, metadata);
    std::string out;
    apply(body, answer.edits, out, answer.begin, answer.end);
    EXPECT_TRUE(out.ends_with(R"("usage":null,"unified_routing":{"served_model":"gpt"}})")) << out;
}

TEST(responses_answer, counts_tokens) {
    const auto usage = accepted(response("completed", "[]", usage_object)).usage;
    ASSERT_TRUE(usage.has_value());
    EXPECT_EQ(usage->prompt, 1);
    EXPECT_EQ(usage->completion, 2);
    EXPECT_EQ(usage->total, 3);
    const auto summed = accepted(response("completed", "[]", R"({"input_tokens":4,"output_tokens":-1})")).usage;
    ASSERT_TRUE(summed.has_value());
    EXPECT_EQ(summed->total, 4);
    EXPECT_FALSE(accepted(response("completed", "[]", "{}")).usage.has_value());
}

TEST(responses_answer, takes_an_incomplete_one) {
    EXPECT_THAT(accepted(response("incomplete", "[" + message_item + "]")).anomalies, IsEmpty());
    EXPECT_THAT(accepted(R"({"output":[)" + message_item + "]}").anomalies, IsEmpty()) << "no status at all";
}

struct output_row {
    std::string id;
    std::string items;
    bool output;
};

class answers_with_items : public testing::TestWithParam<output_row> {};

TEST_P(answers_with_items, tell_whether_there_is_output) {
    const auto anomalies = accepted(response("completed", "[" + GetParam().items + "]")).anomalies;
    if (GetParam().output) {
        EXPECT_THAT(anomalies, IsEmpty());
    } else {
        EXPECT_THAT(anomalies, ElementsAre(anomaly::empty_output));
    }
}

INSTANTIATE_TEST_SUITE_P(
    responses_answer, answers_with_items,
    testing::Values(
        output_row{"none", "", false}, output_row{"text", message_item, true},
        output_row{"no_text", R"({"type":"message","content":[{"type":"output_text","text":""}]})", false},
        output_row{"refusal", R"({"type":"message","content":[{"type":"refusal","refusal":"no"}]})", true},
        output_row{"call", R"({"type":"function_call","name":"f","arguments":""})", true},
        output_row{"other_call", R"({"type":"shell_call"})", true},
        output_row{"approval", R"({"type":"mcp_approval_request","name":"f"})", true},
        output_row{"tool_list", R"({"type":"mcp_list_tools","tools":[{"name":"f"}]})", false},
        output_row{"no_reasoning", R"({"type":"reasoning","summary":[],"encrypted_content":null})", false},
        output_row{"summary", R"({"type":"reasoning","summary":[{"type":"summary_text","text":"s"}]})", true},
        output_row{"encrypted", R"({"type":"reasoning","summary":[],"encrypted_content":"x"})", true},
        output_row{"odd_shapes", R"(1,{"type":1,"content":"x","summary":{},"encrypted_content":""})", false}),
    [](const auto& row) { return row.param.id; });

struct failure_row {
    std::string id;
    std::string body;
    failure_origin origin;
    int status;
    std::string code;
    std::string message;
};

class answers_that_are_none : public testing::TestWithParam<failure_row> {};

TEST_P(answers_that_are_none, say_what_failed) {
    const failure_row& row = GetParam();
    const auto verdict = instance().check_answer(row.body, gpt);
    const auto* const report = std::get_if<base::failure_report>(&verdict);
    ASSERT_NE(report, nullptr);
    EXPECT_EQ(report->origin, row.origin);
    EXPECT_EQ(report->status, row.status);
    EXPECT_EQ(report->code, row.code);
    EXPECT_EQ(report->message, row.message);

    stream s;
    const auto streamed = s->on_answer(row.body, s.out);
    ASSERT_TRUE(streamed.has_value()) << "nor is it one to a stream";
    EXPECT_EQ(streamed->code, row.code);
    EXPECT_EQ(s.out, "");
}

constexpr auto in_answer = failure_origin::error_in_answer;
constexpr auto malformed = failure_origin::malformed_body;

INSTANTIATE_TEST_SUITE_P(
    responses_answer, answers_that_are_none,
    testing::Values(
        failure_row{"failed",
                    R"({"object":"response","status":"failed","output":[],)"
                    R"("error":{"code":"rate_limit_exceeded","message":"m"}})",
                    in_answer, 0, "rate_limit_exceeded", "m"},
        failure_row{"failed_without_output", R"({"status":"failed","error":{"code":"server_error","message":"m"}})",
                    in_answer, 0, "server_error", "m"},
        failure_row{"failed_without_error", R"({"status":"failed","error":null,"output":[]})", in_answer, 0, "", ""},
        failure_row{"error_beside_completed",
                    R"({"status":"completed","output":[],"error":{"code":"invalid_prompt","message":"m"}})", in_answer,
                    0, "invalid_prompt", "m"},
        failure_row{"error_in_words", R"({"status":"failed","output":[],"error":"boom"})", in_answer, 0, "", "boom"},
        failure_row{"cancelled", R"({"status":"cancelled","output":[]})", in_answer, 400, "response_cancelled",
                    "The response was cancelled."},
        failure_row{"cancelled_with_error",
                    R"({"status":"cancelled","output":[],"error":null,"incomplete_details":null,"model":"m"})",
                    in_answer, 400, "response_cancelled", "The response was cancelled."},
        failure_row{"bare_error", R"({"error":{"code":503,"message":"m"}})", in_answer, 503, "503", "m"},
        failure_row{"other_contract", R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})",
                    in_answer, 0, "", "m"},
        failure_row{"flat", R"({"object":"error","message":"m","code":400})", in_answer, 400, "400", "m"},
        failure_row{"array", R"([{"error":{"code":429,"message":"m"}}])", in_answer, 429, "429", "m"},
        failure_row{"queued", response("queued"), malformed, 0, "", ""},
        failure_row{"in_progress", response("in_progress"), malformed, 0, "", ""},
        failure_row{"no_output", R"({"object":"response","status":"completed"})", malformed, 0, "", ""},
        failure_row{"chat_answer", R"({"object":"chat.completion","choices":[]})", malformed, 0, "", ""},
        failure_row{"html", "<html>", malformed, 0, "", ""}, failure_row{"empty_array", "[]", malformed, 0, "", ""},
        failure_row{"word", R"("x")", malformed, 0, "", ""},
        failure_row{"cut", R"({"output":[)", malformed, 0, "", ""}),
    [](const auto& row) { return row.param.id; });

} // namespace
} // namespace turnout::codec::responses
