#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "messages_stream.hpp"

// A JSON answer where a stream was asked for becomes the stream that it would have been.
namespace turnout::codec::messages {
namespace {

using testing::ElementsAre;

const std::string usage = R"({"input_tokens":2,"output_tokens":3})";

std::string answer(const std::string& content, const std::string& stop = R"("end_turn")") {
    return R"({"id":"m1","type":"message","role":"assistant","model":"up","content":)" + content + R"(,"stop_reason":)"
           + stop + R"(,"stop_sequence":null,"usage":)" + usage + "}";
}

const std::string begin =
    event_of("message_start", R"({"type":"message_start","message":{"id":"m1","type":"message","role":"assistant",)"
                              R"("model":"claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":)"
                                  + usage + "}}");
std::string end_of(const std::string& stop) {
    return event_of("message_delta", R"({"type":"message_delta","delta":{"stop_reason":")" + stop
                                         + R"(","stop_sequence":null},"usage":)" + usage + "}");
}

TEST(messages_answer_events, hold_text_and_end) {
    stream s;
    EXPECT_FALSE(s->on_answer("\n" + answer(R"([{"type":"text","text":"h\"i","citations":[1]}])"), s.out).has_value());
    EXPECT_TRUE(s->complete());
    EXPECT_EQ(s.out + s.closing(), begin + seen(block_start(R"({"type":"text","text":"","citations":[1]})"))
                                       + seen(text_delta(R"(h\"i)")) + seen(block_stop()) + end_of("end_turn")
                                       + stop_event);
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer));
    EXPECT_EQ(s->usage()->total, 5);
}

TEST(messages_answer_events, hold_thinking_tools_and_blocks_that_we_do_not_know) {
    stream s;
    const std::string content = R"([{"type":"thinking","thinking":"hm","signature":"sig"},)"
                                R"({"type":"thinking","thinking":"","signature":"sig"},)"
                                R"({"type":"tool_use","id":"t","name":"f","input":{"a":"b"}},7,)"
                                R"({"type":"hologram","text":"kept","input":{}},{}])";
    EXPECT_FALSE(s->on_answer(answer(content, R"("tool_use")"), s.out).has_value());
    const std::string signature = R"({"type":"signature_delta","signature":"sig"})";
    EXPECT_EQ(s.out, begin + seen(block_start(R"({"type":"thinking","thinking":"","signature":""})"))
                         + seen(block_delta(R"({"type":"thinking_delta","thinking":"hm"})"))
                         + seen(block_delta(signature)) + seen(block_stop())
                         + seen(block_start(R"({"type":"thinking","thinking":"","signature":""})", 1))
                         + seen(block_delta(signature, 1)) + seen(block_stop(1))
                         + seen(block_start(R"({"type":"tool_use","id":"t","name":"f","input":{}})", 2))
                         + seen(block_delta(R"({"type":"input_json_delta","partial_json":"{\"a\":\"b\"}"})", 2))
                         + seen(block_stop(2)) + seen(block_start(R"({"type":"hologram","text":"kept","input":{}})", 3))
                         + seen(block_stop(3)) + seen(block_start("{}", 4)) + seen(block_stop(4)) + end_of("tool_use"));
}

TEST(messages_answer_events, keep_what_the_end_of_a_message_says) {
    stream s;
    EXPECT_FALSE(
        s->on_answer(R"({"content":[],"stop_reason":"refusal","stop_details":{"x":1},"container":{"id":"c"}})", s.out)
            .has_value());
    EXPECT_EQ(s.out,
              event_of("message_start",
                       R"({"type":"message_start","message":{"usage":{"input_tokens":0,"output_tokens":0},)"
                       R"("content":[],"stop_reason":null,"stop_details":null,"container":{"id":"c"}}})")
                  + event_of("message_delta",
                             R"({"usage":{"output_tokens":0},"type":"message_delta","delta":{"stop_reason":"refusal",)"
                             R"("stop_details":{"x":1},"container":{"id":"c"}}})"));
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer, anomaly::empty_output));
}

TEST(messages_answer_events, get_what_the_answer_lacks) {
    stream s;
    EXPECT_FALSE(
        s->on_answer(answer(R"([{"type":"tool_use","id":"t","name":"f","input":{}}])", "null"), s.out).has_value());
    EXPECT_EQ(s.closing(), event_of("message_delta", message_delta("tool_use", 3)) + stop_event);
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer, anomaly::missing_finish_reason));
}

TEST(messages_answer_events, are_not_made_of_what_is_no_answer) {
    stream s;
    auto report = s->on_answer(R"({"type":"error","error":{"type":"api_error","message":"m"}})", s.out);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, base::failure_origin::error_in_answer);
    EXPECT_EQ(s->failure().message, "m");

    stream html;
    report = html->on_answer("<html>", html.out);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, base::failure_origin::malformed_body);
    EXPECT_EQ(html.out, "");
}

} // namespace
} // namespace turnout::codec::messages
