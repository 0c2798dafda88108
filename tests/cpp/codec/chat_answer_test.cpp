#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/contracts/chat/answer.hpp"
#include "codec/contracts/chat/chat.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::chat {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string message = R"({"role":"assistant","content":"hi"})";

std::string choice(const std::string& message_text, const std::string& finish = R"("stop")") {
    return R"({"index":0,"message":)" + message_text + R"(,"finish_reason":)" + finish + "}";
}

std::string answer(const std::string& choices, const std::string& rest = "") {
    return R"({"id":"c","model":"up","choices":[)" + choices + "]" + rest + "}";
}

accepted_answer accept(const std::string& body) {
    answer_verdict verdict = check_answer(body, R"("gpt")");
    EXPECT_TRUE(std::holds_alternative<accepted_answer>(verdict)) << body;
    if (auto* accepted = std::get_if<accepted_answer>(&verdict)) return *accepted;
    return {};
}

base::failure_report refuse(const std::string& body) {
    answer_verdict verdict = check_answer(body, R"("gpt")");
    EXPECT_TRUE(std::holds_alternative<base::failure_report>(verdict)) << body;
    if (auto* report = std::get_if<base::failure_report>(&verdict)) return *report;
    return {};
}

TEST(chat_answer, shows_the_public_model_and_drops_blank_space_around) {
    const std::string body = "\n\n " + answer(choice(message), R"(,"usage":null)") + "\n";
    const accepted_answer accepted = accept(body);
    std::string out;
    apply(body, accepted.edits, out, accepted.begin, accepted.end);
    EXPECT_EQ(out, R"({"id":"c","model":"gpt","choices":[)" + choice(message) + R"(],"usage":null})");
    EXPECT_THAT(accepted.anomalies, IsEmpty());
    EXPECT_FALSE(accepted.usage.has_value());
}

TEST(chat_answer, adds_no_model_where_there_is_none) {
    EXPECT_THAT(accept(R"({"choices":[]})").edits, IsEmpty());
    EXPECT_THAT(accept(R"({"model":null,"choices":[]})").edits, IsEmpty());
    EXPECT_THAT(accept(R"({"model":"gpt","choices":[]})").edits, IsEmpty());
}

TEST(chat_answer, reads_usage_wherever_it_is) {
    const auto usage =
        accept(answer(choice(message), R"(,"usage":{"prompt_tokens":16,"completion_tokens":3,"total_tokens":40,)"
                                       R"("completion_tokens_details":{"reasoning_tokens":21}})"))
            .usage;
    ASSERT_TRUE(usage.has_value());
    EXPECT_EQ(usage->prompt, 16);
    EXPECT_EQ(usage->completion, 3);
    EXPECT_EQ(usage->total, 40);
    const auto groq =
        accept(answer(choice(message), R"(,"x_groq":{"id":"r","usage":{"prompt_tokens":2,"completion_tokens":5}})"))
            .usage;
    ASSERT_TRUE(groq.has_value());
    EXPECT_EQ(groq->total, 7);
}

struct anomaly_row {
    std::string body;
    std::vector<anomaly> anomalies;
};

class odd_answers : public testing::TestWithParam<anomaly_row> {};

TEST_P(odd_answers, pass_with_a_note) {
    EXPECT_EQ(accept(GetParam().body).anomalies, GetParam().anomalies) << GetParam().body;
}

INSTANTIATE_TEST_SUITE_P(
    chat_answer, odd_answers,
    testing::Values(anomaly_row{answer(""), {anomaly::empty_output}},
                    anomaly_row{answer(choice(R"({"content":null})")), {anomaly::empty_output}},
                    anomaly_row{answer(choice(R"({"content":""})", "null")),
                                {anomaly::empty_output, anomaly::missing_finish_reason}},
                    anomaly_row{answer(choice(message, R"("")")), {anomaly::missing_finish_reason}},
                    anomaly_row{answer(choice(message, R"("end_turn")")), {}},
                    anomaly_row{answer(choice(message, R"("content_filter")")), {}},
                    anomaly_row{answer(choice(R"({"content":null,"tool_calls":[{"id":"1"}]})")), {}},
                    anomaly_row{answer(choice(R"({"content":[{"type":"text","text":"a"}]})")), {}},
                    anomaly_row{answer(choice(R"({"content":null,"refusal":"no"})")), {}},
                    anomaly_row{answer(choice(message), R"(,"error":null)"), {}},
                    anomaly_row{answer(choice(message), R"(,"error":"")"), {}}));

class no_answers : public testing::TestWithParam<std::string> {};

TEST_P(no_answers, are_malformed) {
    const base::failure_report report = refuse(GetParam());
    EXPECT_EQ(report.origin, failure_origin::malformed_body);
    EXPECT_EQ(report.status, 0);
    EXPECT_EQ(report.message, "");
}

INSTANTIATE_TEST_SUITE_P(chat_answer, no_answers,
                         testing::Values("", "<html><body>Bad gateway</body></html>", "[]", "\"choices\"", "{}",
                                         R"({"choices":null})", R"({"choices":{}})", R"({"id":"c"})",
                                         R"({"choices":[]}{})", R"({"choices":[{"index":0,"mess)",
                                         "{\"choices\":[],\"x\":\"\xFF\"}"));

TEST(chat_answer, tells_errors_inside_a_2xx) {
    base::failure_report report = refuse(R"({"error":{"code":429,"message":"slow","metadata":{}}})");
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 429);
    EXPECT_EQ(report.code, "429");
    EXPECT_EQ(report.message, "slow");

    report = refuse(R"({"object":"error","message":"bad","type":"BadRequestError","code":400})");
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 400);

    report = refuse(R"([{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}])");
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 503);
    EXPECT_EQ(report.type, "UNAVAILABLE");

    report = refuse(answer(choice(message), R"(,"error":{"message":"late"})"));
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 0);
    EXPECT_EQ(report.message, "late");

    report = refuse(answer(choice(message), R"(,"x_groq":{"error":"cut off"})"));
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.message, "cut off");
}

TEST(chat_answer, sees_failures_disguised_as_finish_reasons) {
    EXPECT_EQ(refuse(answer(choice(message, R"("error")"))).status, 500);
    const base::failure_report report = refuse(answer(choice(message, R"("insufficient_system_resource")")));
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 503);
    EXPECT_EQ(report.code, "insufficient_system_resource");
}

TEST(chat_answer, carries_routing_metadata_at_its_end) {
    const std::string body = answer(choice(message)) + "\n";
    accepted_answer accepted = accept(body);
    instance().insert_metadata(body, accepted.edits, R"({"served_model":"gpt"})");
    std::string out;
    apply(body, accepted.edits, out, accepted.begin, accepted.end);
    EXPECT_EQ(out, R"({"id":"c","model":"gpt","choices":[)" + choice(message)
                       + R"(],"unified_routing":{"served_model":"gpt"}})");
}

} // namespace
} // namespace turnout::codec::chat
