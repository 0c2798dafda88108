#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/contracts/messages/messages.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::messages {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view public_model = R"("claude")";

accepted_answer accept(std::string_view body, const contract& protocol = instance()) {
    const answer_verdict verdict = protocol.check_answer(body, public_model);
    const auto* const accepted = std::get_if<accepted_answer>(&verdict);
    EXPECT_NE(accepted, nullptr) << body;
    return accepted != nullptr ? *accepted : accepted_answer{};
}

base::failure_report refuse(std::string_view body, const contract& protocol = instance()) {
    const answer_verdict verdict = protocol.check_answer(body, public_model);
    const auto* const report = std::get_if<base::failure_report>(&verdict);
    EXPECT_NE(report, nullptr) << body;
    return report != nullptr ? *report : base::failure_report{};
}

std::string answer(const std::string& content, const std::string& rest = R"(,"stop_reason":"end_turn")") {
    return R"({"id":"msg_1","type":"message","role":"assistant","model":"up","content":)" + content + rest + "}";
}

const std::string text = R"([{"type":"text","text":"hi"}])";

std::string relayed(const std::string& body, const accepted_answer& accepted) {
    std::string out;
    apply(body, accepted.edits, out, accepted.begin, accepted.end);
    return out;
}

TEST(messages_answer, is_relayed_with_the_public_model_and_without_blank_space_around_it) {
    const std::string body = "\n " + answer(text) + " \n";
    const accepted_answer accepted = accept(body);
    EXPECT_EQ(relayed(body, accepted), R"({"id":"msg_1","type":"message","role":"assistant","model":"claude",)"
                                       R"("content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"})");
    EXPECT_THAT(accepted.anomalies, IsEmpty());
    EXPECT_FALSE(accepted.usage.has_value());
}

TEST(messages_answer, keeps_a_model_that_needs_no_edit) {
    EXPECT_THAT(accept(R"({"content":[],"model":"claude"})").edits, IsEmpty());
    EXPECT_THAT(accept(R"({"content":[],"model":null})").edits, IsEmpty());
    EXPECT_THAT(accept(R"({"content":[]})").edits, IsEmpty());
}

TEST(messages_answer, counts_cached_tokens_with_the_prompt) {
    const accepted_answer accepted =
        accept(answer(text, R"(,"usage":{"input_tokens":18,"output_tokens":5,"cache_creation_input_tokens":2,)"
                            R"("cache_read_input_tokens":100,"cache_creation":{"ephemeral_5m_input_tokens":2}})"));
    EXPECT_EQ(accepted.usage->prompt, 120);
    EXPECT_EQ(accepted.usage->completion, 5);
    EXPECT_EQ(accepted.usage->total, 125);
    EXPECT_FALSE(accept(answer(text, R"(,"usage":null)")).usage.has_value());
    EXPECT_FALSE(accept(answer(text, R"(,"usage":{"input_tokens":"1"})")).usage.has_value());
    EXPECT_EQ(accept(answer(text, R"(,"usage":{"output_tokens":3})")).usage->total, 3);
}

TEST(messages_answer, may_be_empty_or_unfinished) {
    EXPECT_THAT(accept(answer("[]", R"(,"stop_reason":"refusal")")).anomalies, ElementsAre(anomaly::empty_output));
    EXPECT_THAT(accept(answer(R"([{"type":"text","text":""},7])")).anomalies, ElementsAre(anomaly::empty_output));
    EXPECT_THAT(accept(answer(R"([{"type":"tool_use"}])")).anomalies, IsEmpty());
    for (const std::string stop : {"", R"(,"stop_reason":null)", R"(,"stop_reason":"")"}) {
        EXPECT_THAT(accept(answer(text, stop)).anomalies, ElementsAre(anomaly::missing_finish_reason));
    }
}

TEST(messages_answer, is_none_when_it_says_that_something_failed) {
    base::failure_report report =
        refuse(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"})");
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.type, "overloaded_error");
    EXPECT_EQ(report.message, "Overloaded");
    report = refuse(R"({"error":{"code":429,"message":"m"},"content":[]})");
    EXPECT_EQ(report.origin, failure_origin::error_in_answer);
    EXPECT_EQ(report.status, 429);
    EXPECT_EQ(refuse(R"({"error":"m"})").message, "m");
    EXPECT_EQ(refuse(R"({"type":"error","message":"m"})").message, "m");
    EXPECT_EQ(refuse(R"([{"error":{"message":"m"}}])").origin, failure_origin::error_in_answer);
    accept(R"({"error":null,"content":[]})");
}

TEST(messages_answer, is_none_in_another_form) {
    for (const std::string_view body :
         {"", " ", "<html>", "[]", "7", R"({"content":)", R"({"content":[]}x)", R"({"content":"hi"})", "{}",
          R"({"choices":[]})", R"({"type":"message"})", "{\"content\":[\"\xff\"]}"}) {
        EXPECT_EQ(refuse(body).origin, failure_origin::malformed_body) << body;
    }
}

TEST(messages_answer, carries_routing_metadata_at_its_end) {
    const std::string body = answer("[]", "");
    accepted_answer accepted = accept(body);
    instance().insert_metadata(body, accepted.edits, R"({"attempts":1})");
    EXPECT_EQ(relayed(body, accepted), R"({"id":"msg_1","type":"message","role":"assistant","model":"claude",)"
                                       R"("content":[],"unified_routing":{"attempts":1}})");
}

TEST(messages_answer, to_counting_is_a_number_and_nobody_s_usage) {
    const contract& counting = count_tokens_instance();
    const std::string body = "\n{\"input_tokens\": 42}\n";
    const accepted_answer accepted = accept(body, counting);
    EXPECT_EQ(relayed(body, accepted), R"({"input_tokens": 42})");
    EXPECT_FALSE(accepted.usage.has_value());
    EXPECT_THAT(accepted.anomalies, IsEmpty());
    base::edit_list edits;
    counting.insert_metadata(body, edits, R"({"attempts":1})");
    EXPECT_THAT(edits, IsEmpty());
    accept(R"({"input_tokens":0,"usage":{"input_tokens":1}})", counting);
    EXPECT_FALSE(accept(R"({"input_tokens":0,"usage":{"input_tokens":1}})", counting).usage.has_value());

    for (const std::string_view none : {"{}", R"({"input_tokens":-1})", R"({"input_tokens":"1"})",
                                        R"({"input_tokens":1.5})", R"({"content":[]})", "[]", "<html>", ""}) {
        EXPECT_EQ(refuse(none, counting).origin, failure_origin::malformed_body) << none;
    }
    EXPECT_EQ(refuse(R"({"type":"error","error":{"message":"m"}})", counting).message, "m");
}

} // namespace
} // namespace turnout::codec::messages
