#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/responses/event.hpp"
#include "responses_stream.hpp"

// Which events show a client output, each as the first thing after the beginning.
namespace turnout::codec::responses {
namespace {

struct event_row {
    std::string type;
    std::string members;
    bool commits;
};

class response_events : public testing::TestWithParam<event_row> {};

TEST_P(response_events, commit_when_a_client_sees_output) {
    const event_row& row = GetParam();
    stream s;
    s.send(created);
    s.out.clear();
    const std::string data = event(row.type, row.members, 1);
    EXPECT_EQ(s.send(data), row.commits ? frame_class::commits : frame_class::metadata);
    EXPECT_EQ(s.out, seen(data)) << "whatever it is, it is relayed";
}

const std::string item_added = "response.output_item.added";
const std::string item_done = "response.output_item.done";

INSTANTIATE_TEST_SUITE_P(
    responses_tracker, response_events,
    testing::Values(
        event_row{"response.queued", "", false}, event_row{"response.output_text.delta", R"("delta":"a")", true},
        event_row{"response.output_text.delta", R"("delta":"\n")", true},
        event_row{"response.output_text.delta", R"("delta":"")", false},
        event_row{"response.output_text.delta", R"("delta":null)", false},
        event_row{"response.output_text.delta", R"("delta":{"text":"a"})", false},
        event_row{"response.output_text.delta", R"("obfuscation":"a")", false},
        event_row{"response.refusal.delta", R"("delta":"no")", true},
        event_row{"response.reasoning_text.delta", R"("delta":"hm")", true},
        event_row{"response.reasoning_summary_text.delta", R"("delta":"hm")", true},
        event_row{"response.function_call_arguments.delta", R"("delta":"{")", true},
        event_row{"response.custom_tool_call_input.delta", R"("delta":"x")", true},
        event_row{"response.mcp_call_arguments.delta", R"("delta":"x")", true},
        event_row{"response.code_interpreter_call_code.delta", R"("delta":"x")", true},
        event_row{"response.shell_call_command.added", R"("command":"ls")", true},
        event_row{"response.shell_call_command.added", R"("command":"")", false},
        event_row{"response.shell_call_command.delta", R"("delta":"ls")", true},
        event_row{"response.shell_call_output_content.delta", R"("delta":{"stdout":"x"})", true},
        event_row{"response.shell_call_output_content.delta", R"("delta":{"stdout":""})", false},
        event_row{"response.audio.delta", R"("delta":"AAAA")", true},
        event_row{"response.audio.transcript.delta", R"("delta":"hi")", true},
        event_row{"response.image_generation_call.partial_image", R"("partial_image_b64":"AAAA")", true},
        event_row{"response.web_search_call.in_progress", R"("item_id":"ws_1")", true},
        event_row{"response.file_search_call.searching", R"("item_id":"fs_1")", true},
        event_row{"response.mcp_call.failed", R"("item_id":"mcp_1")", true},
        event_row{"response.mcp_list_tools.in_progress", R"("item_id":"mcpl_1")", false},
        event_row{"response.mcp_list_tools.completed", R"("item_id":"mcpl_1")", false},
        event_row{"response.output_text.annotation.added", R"("annotation":{"type":"url_citation"})", false},
        event_row{"response.content_part.added", R"("part":{"type":"output_text","text":""})", false},
        event_row{"response.content_part.added", R"("part":{"type":"output_text","text":"a"})", true},
        event_row{"response.content_part.done", R"("part":{"type":"refusal","refusal":"no"})", true},
        event_row{"response.reasoning_summary_part.added", R"("part":{"type":"summary_text","text":""})", false},
        event_row{"response.reasoning_summary_part.done", R"("part":{"type":"summary_text","text":"hm"})", true},
        event_row{"response.output_text.done", R"("text":"a")", true},
        event_row{"response.output_text.done", R"("text":"")", false},
        event_row{"response.refusal.done", R"("refusal":"no")", true},
        event_row{"response.function_call_arguments.done", R"("arguments":"{}")", true},
        event_row{"response.custom_tool_call_input.done", R"("input":"x")", true},
        event_row{"response.code_interpreter_call_code.done", R"("code":"x")", true},
        event_row{"response.audio.done", "", false},
        event_row{item_added, R"("item":{"type":"message","content":[]})", false},
        event_row{item_added, R"("item":{"type":"message","content":[{"type":"output_text","text":"a"}]})", true},
        event_row{item_added, R"("item":{"type":"reasoning","summary":[]})", false},
        event_row{item_added, R"("item":{"type":"reasoning","summary":[],"encrypted_content":""})", false},
        event_row{item_added, R"("item":{"type":"reasoning","summary":[],"encrypted_content":"x"})", true},
        event_row{item_added, R"("item":{"type":"reasoning","summary":[{"type":"summary_text","text":"s"}]})", true},
        event_row{item_added, R"("item":{"type":"function_call","name":"f","arguments":""})", true},
        event_row{item_added, R"("item":{"type":"custom_tool_call","name":"f"})", true},
        event_row{item_added, R"("item":{"type":"mcp_approval_request","name":"f"})", true},
        event_row{item_added, R"("item":{"type":"mcp_list_tools"})", false},
        event_row{item_added, R"("item":null)", false},
        event_row{item_done, R"("item":{"type":"message","content":[{"type":"output_text","text":"a"}]})", true},
        event_row{item_done, R"("item":{"type":"reasoning","summary":[]})", false},
        event_row{item_done, R"("item":{"type":"web_search_call","status":"completed"})", true},
        event_row{"response.something_new", R"("delta":"a")", true},
        event_row{"response.something_new", R"("delta":"")", false},
        event_row{"response.something_new", R"("text":"a")", false},
        event_row{"response.something_new", R"("delta":["a"])", false},
        event_row{"something.new", R"("delta":"a")", false}),
    [](const auto& row) {
        std::string name = row.param.type + '_' + std::to_string(row.index);
        for (char& c : name)
            if (c == '.') c = '_';
        return name;
    });

TEST(responses_tracker, drops_news_of_what_the_client_was_not_told_of) {
    stream s;
    EXPECT_EQ(s.send(event("something.new", "", 0)), frame_class::metadata);
    EXPECT_EQ(s.send(event("response.something_new", "", 1)), frame_class::metadata);
    EXPECT_EQ(s.out, "");
    EXPECT_EQ(s->next_sequence(), 2);
}

TEST(responses_tracker, finds_usage_in_whatever_tells_of_the_response) {
    stream s;
    s.send(life("in_progress", 0, response("in_progress", "[]", usage_object)));
    ASSERT_TRUE(s->usage().has_value());
    EXPECT_EQ(s->usage()->prompt, 1);
    s.send(life("completed", 1, response("completed", "[]", R"({"input_tokens":5,"output_tokens":6})")));
    EXPECT_EQ(s->usage()->total, 11);
}

TEST(responses_events, are_of_no_turn_if_they_say_nothing_of_a_response) {
    RecordProperty("rules", "WS-UP-014 WS-UP-015");
    for (const std::string message :
         {R"({"type":"rate_limits.updated","rate_limits":[{"name":"tokens","remaining":1}]})",
          R"({"type":"keepalive"})", R"({"type":"keepalive","sequence_number":3})", R"( {"type" : "responses" } )",
          R"({"type":"error.cleared"})", R"({"type":"x","error":null,"delta":"a"})"})
        EXPECT_TRUE(is_of_no_turn(message)) << message;
    for (const std::string message :
         {R"({"type":"response.completed"})", R"({"type":"response."})", R"({"type":"response.made_up"})",
          R"({"type":"r\u0065sponse.done"})", R"({"type":"error"})", R"({"type":"x","error":{"code":"y"}})",
          R"({"type":"x","response":{"id":"resp_1"}})", R"({"type":""})", R"({"type":1})", R"({"type":null})", "{}",
          R"({"type":"x"} {})", R"({"type":"x")", "[DONE]", R"(["type","x"])", "\"x\"", ""})
        EXPECT_FALSE(is_of_no_turn(message)) << message;
}

} // namespace
} // namespace turnout::codec::responses
