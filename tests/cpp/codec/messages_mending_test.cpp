#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/contracts/messages/partial_json.hpp"
#include "messages_stream.hpp"

// What an upstream left out that clients' SDKs cannot do without, and what must not be told as whole.
namespace turnout::codec::messages {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::string input(const std::string& json, int index = 0) {
    return block_delta(R"({"type":"input_json_delta","partial_json":")" + json + R"("})", index);
}

TEST(messages_mending, tells_no_half_call_as_finished) {
    RecordProperty("rules", "MSG-DONE-011");
    const std::vector<std::string> whole = {R"({\"a\":[1,\"}\"]})", R"(\u007b\u0022{\u0022:1})", R"({\"\\\"{\":1})",
                                            ""};
    const std::vector<std::string> half = {R"({\"a\":[1,\"}\"])", R"({\"a\":\"}\\)", R"({\"a\":\"}\\\")", "[",
                                           R"(\u007b)"};
    for (const bool stopped : {false, true}) {
        const std::vector<std::string> end = stopped ? std::vector{block_stop()} : std::vector<std::string>{};
        for (const std::string& json : whole) {
            stream s;
            s.send_all({message_start, tool_start, input(json)}).send_all(end);
            EXPECT_EQ(s.send(message_stop), frame_class::end) << json;
            EXPECT_TRUE(s->complete());
        }
        for (const std::string& json : half) {
            stream s;
            s.send_all({message_start, tool_start, input(json)}).send_all(end);
            ASSERT_EQ(s.send(message_stop), frame_class::error) << json;
            EXPECT_EQ(s->failure().origin, base::failure_origin::stream_truncated);
            EXPECT_FALSE(s->complete());
            stream reasoned;
            reasoned.send_all({message_start, tool_start, input(json)}).send_all(end);
            reasoned.send_all({message_delta("max_tokens"), message_stop});
            EXPECT_EQ(reasoned.classes.back(), frame_class::end) << "the upstream says why: " << json;
        }
    }
}

TEST(messages_mending, follows_json_through_any_split) {
    const std::string text = R"({\"a\\\"\":[{\"b\":\"\u005c\"]}\"},\"c\"]})";
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const std::size_t slashes = at - (text.find_last_not_of('\\', at == 0 ? 0 : at - 1) + 1);
        const std::size_t unicode = text.rfind("\\u", at);
        if (at == 0 || slashes % 2 == 1 || (unicode != text.npos && at < unicode + 6)) continue;
        partial_json json;
        json.feed(std::string_view(text).substr(0, at));
        EXPECT_EQ(json.whole(), at == text.size()) << at;
        json.feed(std::string_view(text).substr(at));
        EXPECT_TRUE(json.whole()) << at;
    }
}

TEST(messages_mending, gives_blocks_the_index_that_they_lack) {
    RecordProperty("rules", "MSG-DONE-012");
    stream s;
    s.send_all({message_start, R"({"type":"content_block_start","content_block":{"type":"text","text":""}})",
                R"({"type":"content_block_delta","index":null,"delta":{"type":"text_delta","text":"a"}})",
                R"({"type":"content_block_stop"})",
                R"({"type":"content_block_start","index":"x","content_block":{"type":"text","text":""}})",
                R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"b"}})"});
    EXPECT_EQ(s.out,
              seen(message_start)
                  + event_of("content_block_start",
                             R"({"index":0,"type":"content_block_start","content_block":{"type":"text","text":""}})")
                  + event_of("content_block_delta",
                             R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}})")
                  + event_of("content_block_stop", R"({"index":0,"type":"content_block_stop"})")
                  + event_of("content_block_start",
                             R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})")
                  + event_of("content_block_delta",
                             R"({"index":1,"type":"content_block_delta","delta":{"type":"text_delta","text":"b"}})"));
    s.send_all({message_delta()});
    EXPECT_THAT(s->anomalies(), Contains(anomaly::missing_content_block_stop));
}

TEST(messages_mending, gives_objects_that_clients_read_into) {
    RecordProperty("rules", "MSG-DONE-012");
    const std::string usage = R"("usage":{"output_tokens":1})";
    stream s;
    s.send_all({message_start, R"({"type":"content_block_start","index":0})"});
    EXPECT_EQ(s.out, seen(message_start)
                         + event_of("content_block_start", R"({"content_block":{"type":"text","text":""},)"
                                                           R"("type":"content_block_start","index":0})"));
    s.out.clear();
    s.send_all(
        {R"({"type":"content_block_delta","index":0})", R"({"type":"content_block_delta","index":0,"delta":7})"});
    EXPECT_EQ(s.out, "");
    s.send_all({R"({"type":"message_delta",)" + usage + "}", R"({"type":"message_delta","delta":null,)" + usage + "}"});
    const std::string delta = R"("delta":{"stop_reason":null,"stop_sequence":null},)";
    EXPECT_EQ(s.out, event_of("message_delta", "{" + delta + R"("type":"message_delta",)" + usage + "}")
                         + event_of("message_delta", R"({"type":"message_delta",)" + delta + usage + "}"));
}

TEST(messages_mending, notes_blocks_that_the_upstream_left_open) {
    RecordProperty("rules", "MSG-ANOM-002");
    stream open;
    open.send_all({message_start, text_start, text_delta("a"), message_delta(), message_stop});
    EXPECT_THAT(open->anomalies(), ElementsAre(anomaly::missing_content_block_stop));
    stream closed;
    closed.send_all({message_start, text_start, text_delta("a"), block_stop(), message_delta(), message_stop});
    EXPECT_THAT(closed->anomalies(), Not(Contains(anomaly::missing_content_block_stop)));
    stream unfinished;
    unfinished.send_all({message_start, text_start, text_delta("a"), message_stop});
    (void)unfinished.closing();
    EXPECT_THAT(unfinished->anomalies(), Contains(anomaly::missing_content_block_stop));
}

TEST(messages_mending, shows_the_public_model_wherever_an_event_names_one) {
    RecordProperty("rules", "MSG-FORM-008");
    stream s;
    s.send_all(
        {R"({"type":"message_start","model":"up","message":{"model":"up","content":[],"usage":{},"model":"u2"}})",
         R"({"type":"made_up","model":"up","message":{"model":"up"},"x":{"model":"up"},"model":"up"})"});
    EXPECT_EQ(
        s.out,
        event_of("message_start",
                 R"({"type":"message_start","model":"claude","message":{"model":"claude","content":[],"usage":{},)"
                 R"("model":"claude"}})")
            + event_of("made_up", R"({"type":"made_up","model":"claude","message":{"model":"claude"},)"
                                  R"("x":{"model":"up"},"model":"claude"})"));
    stream twice;
    EXPECT_EQ(twice.send(R"({"type":"message_start","message":{"model":"up"},"message":{}})"), frame_class::error);
}

} // namespace
} // namespace turnout::codec::messages
