#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "responses_stream.hpp"

// A JSON answer to a request for a stream becomes the stream that it would have been.
namespace turnout::codec::responses {
namespace {

using testing::ElementsAre;

std::string converted(stream& s, const std::string& items, const std::string& status = "completed") {
    EXPECT_FALSE(s->on_answer(" \n" + response(status, "[" + items + "]", usage_object), s.out).has_value());
    EXPECT_TRUE(s->complete());
    return s.out;
}

std::string begun() {
    const std::string object = response("in_progress", "[]", "null", "gpt");
    return seen(life("created", 0, object)) + seen(life("in_progress", 1, object));
}

TEST(responses_answer_events, tells_a_message_in_order) {
    stream s;
    const std::string place = R"("item_id":"msg_1","output_index":0,"content_index":0,)";
    EXPECT_EQ(converted(s, message_item),
              begun()
                  + seen(event("response.output_item.added",
                               R"("output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress",)"
                               R"("role":"assistant","content":[]})",
                               2))
                  + seen(event("response.content_part.added",
                               place + R"("part":{"type":"output_text","text":"","annotations":[]})", 3))
                  + seen(event("response.output_text.delta", place + R"("delta":"ab","logprobs":[])", 4))
                  + seen(event("response.output_text.done", place + R"("text":"ab","logprobs":[])", 5))
                  + seen(event("response.content_part.done",
                               place + R"("part":{"type":"output_text","text":"ab","annotations":[]})", 6))
                  + seen(event("response.output_item.done", R"("output_index":0,"item":)" + message_item, 7)));
    EXPECT_EQ(s.closing(),
              seen(life("completed", 8, response("completed", "[" + message_item + "]", usage_object, "gpt"))));
    EXPECT_EQ(s->next_sequence(), 9);
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer));
    ASSERT_TRUE(s->usage().has_value());
    EXPECT_EQ(s->usage()->total, 3);
}

TEST(responses_answer_events, tells_calls_and_reasoning) {
    stream s;
    const std::string reasoning = R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}]})";
    const std::string call = R"({"type":"function_call","id":"fc_1","name":"f","arguments":"{}","status":"completed"})";
    const std::string custom = R"({"type":"custom_tool_call","id":"ct_1","name":"g","input":""})";
    const std::string search = R"({"type":"web_search_call","id":"ws_1","status":"completed"})";
    const std::string place = R"("item_id":"rs_1","output_index":0,"summary_index":0,)";
    EXPECT_EQ(
        converted(s, reasoning + "," + call + "," + custom + "," + search),
        begun()
            + seen(event("response.output_item.added",
                         R"("output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]})", 2))
            + seen(event("response.reasoning_summary_part.added", place + R"("part":{"type":"summary_text","text":""})",
                         3))
            + seen(event("response.reasoning_summary_text.delta", place + R"("delta":"hm")", 4))
            + seen(event("response.reasoning_summary_text.done", place + R"("text":"hm")", 5))
            + seen(event("response.reasoning_summary_part.done",
                         place + R"("part":{"type":"summary_text","text":"hm"})", 6))
            + seen(event("response.output_item.done", R"("output_index":0,"item":)" + reasoning, 7))
            + seen(event("response.output_item.added",
                         R"("output_index":1,"item":{"type":"function_call","id":"fc_1","name":"f","arguments":"",)"
                         R"("status":"in_progress"})",
                         8))
            + seen(
                event("response.function_call_arguments.delta", R"("item_id":"fc_1","output_index":1,"delta":"{}")", 9))
            + seen(event("response.function_call_arguments.done",
                         R"("item_id":"fc_1","output_index":1,"arguments":"{}")", 10))
            + seen(event("response.output_item.done", R"("output_index":1,"item":)" + call, 11))
            + seen(event("response.output_item.added", R"("output_index":2,"item":)" + custom, 12))
            + seen(event("response.output_item.done", R"("output_index":2,"item":)" + custom, 13))
            + seen(event("response.output_item.added",
                         R"("output_index":3,"item":{"type":"web_search_call","id":"ws_1","status":"in_progress"})",
                         14))
            + seen(event("response.output_item.done", R"("output_index":3,"item":)" + search, 15)));
}

TEST(responses_answer_events, tells_refusals_and_parts_that_it_does_not_know) {
    stream s;
    converted(s, R"({"type":"message","content":[{"type":"refusal","refusal":"no"},{"type":"new","x":1},7]},7)");
    EXPECT_NE(s.out.find(R"("content_index":0,"delta":"no"})"), std::string::npos) << s.out;
    EXPECT_NE(s.out.find(R"("content_index":0,"refusal":"no"})"), std::string::npos) << s.out;
    EXPECT_NE(s.out.find(R"("item_id":"","output_index":0,"content_index":1,"part":{"type":"new","x":1}})"),
              std::string::npos)
        << s.out;
}

TEST(responses_answer_events, ends_as_the_answer_did_and_takes_metadata) {
    stream s;
    converted(s, message_item, "incomplete");
    const std::string closing = s.closing(R"({"a":1})");
    EXPECT_TRUE(closing.starts_with("event: response.incomplete\n")) << closing;
    EXPECT_TRUE(closing.ends_with(",\"unified_routing\":{\"a\":1}}}\n\n")) << closing;
}

TEST(responses_answer_events, records_an_answer_without_output) {
    RecordProperty("rules", "RSP-ANOM-001");
    stream s;
    EXPECT_EQ(converted(s, ""), begun());
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::non_stream_answer, anomaly::empty_output));
}

} // namespace
} // namespace turnout::codec::responses
