#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chat_stream.hpp"

// A JSON answer where a stream was asked for becomes the stream that it would have been.
namespace turnout::codec::chat {
namespace {

using testing::ElementsAre;

const std::string head = R"({"id":"c1","created":7,"model":"up",)";
const std::string seen_head =
    R"(data: {"id":"c1","created":7,"model":"gpt","object":"chat.completion.chunk","choices":)";

std::string answer(const std::string& choices) {
    return head + R"("object":"chat.completion","choices":[)" + choices + R"(],"usage":)" + usage_object + "}";
}

const std::string text_choice =
    R"({"index":0,"message":{"role":"assistant","content":"hi"},"logprobs":null,"finish_reason":"stop"})";
const std::string text_events =
    seen_head
    + R"([{"index":0,"logprobs":null,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}]})"
      "\n\n"
    + seen_head
    + R"([{"index":0,"delta":{},"finish_reason":"stop"}]})"
      "\n\n";

TEST(chat_answer_chunks, hold_output_and_end) {
    stream s;
    EXPECT_FALSE(s->on_answer("\n" + answer(text_choice), s.out).has_value());
    EXPECT_TRUE(s->complete());
    EXPECT_EQ(s.out + s.closing(), text_events + done_event);
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer));
    EXPECT_EQ(s->usage()->total, 3);
}

TEST(chat_answer_chunks, hold_usage_when_asked) {
    stream s(1, true);
    EXPECT_FALSE(s->on_answer(answer(text_choice), s.out).has_value());
    EXPECT_EQ(s.out, text_events + seen_head + R"([],"usage":)" + usage_object + "}\n\n");
}

TEST(chat_answer_chunks, number_tool_calls) {
    stream s;
    EXPECT_FALSE(
        s->on_answer(answer(R"({"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a"},{"id":"b"}]},)"
                            R"("finish_reason":"tool_calls"})"),
                     s.out)
            .has_value());
    EXPECT_EQ(s.out,
              seen_head
                  + R"([{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"a"},)"
                    R"({"index":1,"id":"b"}]},"finish_reason":null}]})"
                    "\n\n"
                  + seen_head
                  + R"([{"index":0,"delta":{},"finish_reason":"tool_calls"}]})"
                    "\n\n");
}

TEST(chat_answer_chunks, hold_every_choice) {
    stream s(2);
    const std::string second = R"({"index":1,"message":{"content":"b"},"finish_reason":"length"})";
    EXPECT_FALSE(s->on_answer(answer(text_choice + "," + second), s.out).has_value());
    EXPECT_EQ(s.out, text_events + seen_head
                         + R"([{"index":1,"delta":{"role":"assistant","content":"b"},"finish_reason":null}]})"
                           "\n\n"
                         + seen_head
                         + R"([{"index":1,"delta":{},"finish_reason":"length"}]})"
                           "\n\n");
    EXPECT_EQ(s.closing(), done_event);
}

TEST(chat_answer_chunks, get_what_the_answer_lacks) {
    stream s;
    EXPECT_FALSE(s->on_answer(answer(R"({"message":{"role":"assistant","content":"a"}})"), s.out).has_value());
    EXPECT_EQ(s.closing(), own_finish("stop") + done_event);
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer, anomaly::missing_finish_reason));

    stream empty;
    EXPECT_FALSE(empty->on_answer(R"({"choices":[]})", empty.out).has_value());
    EXPECT_EQ(empty.out, "");
    EXPECT_THAT(empty->anomalies(),
                ElementsAre(anomaly::non_stream_answer, anomaly::missing_finish_reason, anomaly::empty_output));
}

TEST(chat_answer_chunks, are_not_made_of_what_is_no_answer) {
    stream s;
    auto report = s->on_answer(R"({"error":{"message":"m","code":429}})", s.out);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, base::failure_origin::error_in_answer);
    EXPECT_EQ(report->status, 429);
    EXPECT_EQ(s->failure().message, "m");

    stream html;
    report = html->on_answer("<html>", html.out);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, base::failure_origin::malformed_body);
    EXPECT_EQ(html.out, "");
}

} // namespace
} // namespace turnout::codec::chat
