#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "messages_stream.hpp"

// What single events mean: which commit, what is edited in them, what they count and what is an error.
namespace turnout::codec::messages {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using enum frame_class;

struct commit_row {
    std::string id;
    std::string start;
    std::string delta;
    frame_class of_start;
    frame_class of_delta;
};

class message_frames : public testing::TestWithParam<commit_row> {};

TEST_P(message_frames, commit_when_the_client_would_see_something) {
    const commit_row& row = GetParam();
    stream s;
    s.send_all({message_start, row.start, row.delta});
    EXPECT_THAT(s.classes, ElementsAre(metadata, row.of_start, row.of_delta));
}

std::string input_delta(const std::string& json) {
    return block_delta(R"({"type":"input_json_delta","partial_json":")" + json + R"("})");
}
const std::string signature_delta = block_delta(R"({"type":"signature_delta","signature":"EqQB"})");
const std::string empty_text = text_delta("");

INSTANTIATE_TEST_SUITE_P(
    messages_tracker, message_frames,
    testing::Values(
        commit_row{"text", text_start, text_delta("a"), metadata, commits},
        commit_row{"blank_text", text_start, text_delta(" "), metadata, commits},
        commit_row{"empty_text", text_start, empty_text, metadata, metadata},
        commit_row{"text_in_the_start", block_start(R"({"type":"text","text":"a"})"), empty_text, commits, metadata},
        commit_row{"thinking", thinking_start, block_delta(R"({"type":"thinking_delta","thinking":"hm"})"), metadata,
                   commits},
        commit_row{"empty_thinking", thinking_start, block_delta(R"({"type":"thinking_delta","thinking":""})"),
                   metadata, metadata},
        commit_row{"signature_of_thinking_that_is_not_shown", thinking_start, signature_delta, metadata, commits},
        commit_row{"empty_signature", thinking_start, block_delta(R"({"type":"signature_delta","signature":""})"),
                   metadata, metadata},
        commit_row{"signature_in_the_start", block_start(R"({"type":"thinking","thinking":"","signature":"s"})"),
                   empty_text, commits, metadata},
        commit_row{"signature_of_a_block_that_never_began", block_stop(), signature_delta, metadata, commits},
        commit_row{"tool", tool_start, input_delta(""), commits, metadata},
        commit_row{"input_of_a_tool", tool_start, input_delta(R"({\"a)"), commits, commits},
        commit_row{"provider_s_tool", block_start(R"({"type":"server_tool_use","id":"s","name":"web_search"})"),
                   input_delta(""), commits, metadata},
        commit_row{"tool_of_an_mcp_server", block_start(R"({"type":"mcp_tool_use","id":"m","name":"f"})"),
                   input_delta(""), commits, metadata},
        commit_row{"result_of_a_tool", block_start(R"({"type":"web_search_tool_result","tool_use_id":"s"})"),
                   empty_text, commits, metadata},
        commit_row{"hidden_thinking", block_start(R"({"type":"redacted_thinking","data":"x"})"), empty_text, commits,
                   metadata},
        commit_row{"unknown_block", block_start(R"({"type":"hologram"})"), empty_text, commits, metadata},
        commit_row{"block_without_a_type", block_start(R"({"text":""})"), text_delta("a"), metadata, commits},
        commit_row{"block_that_is_no_object", block_start("null"), text_delta("a"), metadata, commits},
        commit_row{"unknown_delta_with_text", text_start, block_delta(R"({"type":"compaction_delta","content":"c"})"),
                   metadata, commits},
        commit_row{"citation_alone", text_start,
                   block_delta(R"({"type":"citations_delta","citation":{"cited_text":"c"}})"), metadata, metadata},
        commit_row{"delta_that_is_no_object", text_start, block_delta("7"), metadata, metadata},
        commit_row{"unknown_event", R"({"type":"hologram","text":"a"})", R"({"type":"x","delta":{"text":"a"}})",
                   metadata, metadata}),
    [](const auto& row) { return row.param.id; });

TEST(messages_events, take_a_signature_behind_its_thinking_for_metadata) {
    stream s;
    s.send_all(
        {message_start, thinking_start, block_delta(R"({"type":"thinking_delta","thinking":"hm"})"), signature_delta});
    EXPECT_THAT(s.classes, ElementsAre(metadata, metadata, commits, metadata));
}

TEST(messages_events, are_named_for_the_client_by_their_type) {
    stream s;
    s.send(message_start);
    s.out.clear();
    s.send(text_start, "content_block_delta");
    s.send(text_delta("a"), "delta");
    s.send(R"({"type":"hologram"})", "other");
    EXPECT_EQ(s.out, seen(text_start) + seen(text_delta("a")) + seen(R"({"type":"hologram"})"));
}

TEST(messages_events, get_the_type_that_only_their_name_gives) {
    stream s;
    s.send(R"({"message":{"model":"up","content":[],"usage":{}}})", "message_start");
    EXPECT_EQ(s.out, event_of("message_start",
                              R"({"type":"message_start","message":{"model":"claude","content":[],"usage":{}}})"));
    s.out.clear();
    s.send(R"({"type":null,"index":0,"content_block":{"type":"text","text":""}})", "content_block_start");
    EXPECT_EQ(s.out, event_of("content_block_start",
                              R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})"));
    s.out.clear();
    s.send("{}", "content_block_stop");
    EXPECT_EQ(s.out, event_of("content_block_stop", R"({"index":0,"type":"content_block_stop"})"));
    EXPECT_EQ(s.send("{}", "message_stop"), end);
    EXPECT_EQ(s.closing(), event_of("message_delta", message_delta("end_turn", 0)) + stop_event);
}

TEST(messages_events, of_the_end_may_have_no_data) {
    stream s;
    s.send_all({message_start, message_delta()});
    EXPECT_EQ(s.send("", "message_stop"), end);
    EXPECT_EQ(s.closing(), stop_event);
}

TEST(messages_events, keep_an_escaped_type_apart_from_the_framing) {
    stream s;
    s.send(message_start);
    s.out.clear();
    s.send(R"({"type":"a\nb"})", "strange");
    s.send(R"({"type":"p\u0069ng"})");
    EXPECT_EQ(s.out, event_of("strange", R"({"type":"a\nb"})"));
    EXPECT_EQ(s.send(R"({"type":"message\u005fstop"})"), end);
}

TEST(messages_events, without_name_and_type_are_relayed_after_the_start_only) {
    stream s;
    EXPECT_EQ(s.send(R"({"id":"c1","object":"chat.completion.chunk","choices":[]})"), error);
    EXPECT_EQ(s->failure().origin, failure_origin::malformed_body);

    stream later;
    later.send(message_start);
    later.out.clear();
    EXPECT_EQ(later.send(R"({"x":1})"), metadata);
    EXPECT_EQ(later.send(R"({"x":2})", "odd"), metadata);
    EXPECT_EQ(later.out, "data: {\"x\":1}\n\n" + event_of("odd", R"({"x":2})"));
}

TEST(messages_events, keep_line_breaks_between_tokens_as_lines_of_data) {
    stream s;
    s.send("{\"type\":\n\"hologram\",\r\n\"x\":1}");
    EXPECT_EQ(s.out, "event: hologram\ndata: {\"type\":\ndata: \"hologram\",\ndata: \"x\":1}\n\n");
}

struct start_row {
    std::string message;
    std::string seen;
};

TEST(messages_events, give_a_start_the_members_that_clients_write_into) {
    const std::string usage = R"("usage":{"input_tokens":0,"output_tokens":0})";
    const std::vector<start_row> rows{
        {"{}", R"({"content":[],)" + usage + "}"},
        {R"({"id":"m"})", R"({"content":[],)" + usage + R"(,"id":"m"})"},
        {R"({"content":null,"usage":null})", R"({"content":[],)" + usage + "}"},
        {R"({"content":[],"x":1})", "{" + usage + R"(,"content":[],"x":1})"},
        {R"({"usage":{"input_tokens":1}})", R"({"content":[],"usage":{"input_tokens":1}})"},
        {R"({"model":"up","content":[],"usage":{}})", R"({"model":"claude","content":[],"usage":{}})"},
        {R"({"model":"claude","content":[],"usage":{}})", R"({"model":"claude","content":[],"usage":{}})"},
        {R"({"model":null,"content":[],"usage":{}})", R"({"model":null,"content":[],"usage":{}})"},
    };
    for (const start_row& row : rows) {
        stream s;
        EXPECT_EQ(s.send(R"({"type":"message_start","message":)" + row.message + "}"), metadata);
        EXPECT_EQ(s.out, event_of("message_start", R"({"type":"message_start","message":)" + row.seen + "}"));
    }
}

TEST(messages_events, of_a_start_must_hold_a_message) {
    for (const std::string data : {R"({"type":"message_start"})", R"({"type":"message_start","message":7})"}) {
        stream s;
        EXPECT_EQ(s.send(data), error);
        EXPECT_EQ(s->failure().origin, failure_origin::malformed_body);
        EXPECT_EQ(s.out, "");
    }
}

TEST(messages_events, give_a_message_delta_the_usage_that_clients_read) {
    const std::string head = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"})";
    stream s;
    s.send(message_start);
    s.out.clear();
    s.send(head + "}");
    s.send(head + R"(,"usage":null})");
    EXPECT_EQ(s.out,
              event_of("message_delta",
                       R"({"usage":{"output_tokens":1},"type":"message_delta","delta":{"stop_reason":"end_turn"}})")
                  + event_of("message_delta", head + R"(,"usage":{"output_tokens":1}})"));
}

TEST(messages_events, count_tokens_of_which_the_last_number_holds) {
    stream s;
    EXPECT_FALSE(s->usage().has_value());
    s.send(message_start);
    EXPECT_EQ(s->usage()->prompt, 17);
    EXPECT_EQ(s->usage()->completion, 1);
    EXPECT_EQ(s->usage()->total, 18);
    s.send(R"({"type":"message_delta","delta":{},"usage":{"output_tokens":4}})");
    s.send(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
           R"("usage":{"input_tokens":20,"cache_read_input_tokens":0,"cache_creation_input_tokens":null,)"
           R"("output_tokens":9}})");
    EXPECT_EQ(s->usage()->prompt, 23);
    EXPECT_EQ(s->usage()->completion, 9);
    EXPECT_EQ(s->usage()->total, 32);
}

TEST(messages_events, count_no_tokens_where_nothing_was_counted) {
    stream s;
    s.send(R"({"type":"message_start","message":{"usage":{"service_tier":"standard"}}})");
    s.send(message_stop);
    s.closing();
    EXPECT_FALSE(s->usage().has_value());
}

TEST(messages_events, bound_counts_that_cannot_be) {
    stream s;
    s.send(R"({"type":"message_start","message":{"usage":{"input_tokens":9223372036854775807,)"
           R"("cache_read_input_tokens":9223372036854775807,"output_tokens":-5}}})");
    EXPECT_EQ(s->usage()->completion, 0);
    EXPECT_EQ(s->usage()->total, std::int64_t{1} << 54U);
}

struct error_row {
    std::string id;
    std::string data;
    int status;
    std::string type;
    std::string message;
    std::string name = {};
    failure_origin origin = failure_origin::error_event;
};

class message_errors : public testing::TestWithParam<error_row> {};

TEST_P(message_errors, end_the_attempt_before_and_after_the_commit) {
    const error_row& row = GetParam();
    for (const bool committed : {false, true}) {
        stream s;
        s.send(message_start);
        if (committed) s.send_all({text_start, text_delta("a")});
        s.out.clear();
        EXPECT_EQ(s.send(row.data, row.name), error);
        EXPECT_EQ(s->failure().origin, row.origin);
        EXPECT_EQ(s->failure().status, row.status);
        EXPECT_EQ(s->failure().type, row.type);
        EXPECT_EQ(s->failure().message, row.message);
        EXPECT_EQ(s.send(message_stop), error); // whatever follows
        EXPECT_EQ(s->on_end(true)->message, row.message);
        EXPECT_EQ(s.out, "");
        EXPECT_FALSE(s->complete());
    }
}

INSTANTIATE_TEST_SUITE_P(
    messages_tracker, message_errors,
    testing::Values(error_row{"overloaded",
                              R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", 0,
                              "overloaded_error", "Overloaded", "error"},
                    error_row{"without_a_name", R"({"type":"error","error":{"type":"api_error","message":"m"}})", 0,
                              "api_error", "m"},
                    error_row{"by_its_name", R"({"message":"m"})", 0, "", "m", "error"},
                    error_row{"by_its_name_without_json", "oops", 0, "", "", "error"},
                    error_row{"by_its_name_without_data", "", 0, "", "", "error"},
                    error_row{"by_its_type", R"({"type":"error","message":"m"})", 0, "", "m"},
                    error_row{"of_another_protocol", R"({"error":{"message":"m","type":"server_error","code":502}})",
                              502, "server_error", "m"},
                    error_row{"as_a_string", R"({"type":"message_delta","error":"m"})", 0, "message_delta", "m"},
                    error_row{"in_an_array", R"([{"error":{"message":"m"}}])", 0, "", "m"},
                    error_row{"not_json", R"({"type":)", 0, "", "", "", failure_origin::malformed_body},
                    error_row{"no_object", "7", 0, "", "", "", failure_origin::malformed_body},
                    error_row{"a_page", "<html>", 0, "", "", "", failure_origin::malformed_body}),
    [](const auto& row) { return row.param.id; });

} // namespace
} // namespace turnout::codec::messages
