#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "responses_stream.hpp"

// How streams begin, commit and end. A script is what an upstream sends; the expectation is what the tracker makes of it.
namespace turnout::codec::responses {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;
using enum frame_class;

struct script {
    std::string id;
    std::vector<std::string> events;
    std::vector<frame_class> classes;
    std::vector<anomaly> anomalies;
    std::string closing;
};

class complete_responses : public testing::TestWithParam<script> {};

TEST_P(complete_responses, are_whole_for_the_client) {
    RecordProperty("rules", "RSP-ANOM-001");
    const script& c = GetParam();
    stream s;
    s.send_all(c.events);
    EXPECT_EQ(s.classes, c.classes);
    EXPECT_TRUE(s->complete());
    EXPECT_FALSE(s->on_end(true).has_value());
    EXPECT_EQ(s.closing(), c.closing);
    EXPECT_EQ(s->anomalies(), c.anomalies);
}

const std::string call_item = R"({"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":"{}"})";
const std::string call_added = event(
    "response.output_item.added",
    R"("output_index":0,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"f","arguments":""})", 2);
const std::string call_delta =
    event("response.function_call_arguments.delta", R"("item_id":"fc_1","output_index":0,"delta":"{}")", 3);
const std::string call_done = event("response.output_item.done", R"("output_index":0,"item":)" + call_item, 4);
const std::string call_completed = life("completed", 5, response("completed", "[" + call_item + "]"));
const std::string reasoning_added =
    event("response.output_item.added", R"("output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]})", 2);
const std::string reasoning_delta =
    event("response.reasoning_summary_text.delta", R"("output_index":0,"summary_index":0,"delta":"hm")", 9);
std::string keepalive(int number) { return event("keepalive", "", number); }
const std::string incomplete_event = life("incomplete", 7, response("incomplete", "[" + message_item + "]"));
const std::string empty_event = life("completed", 2, response("completed"));
const std::string lone_event = life("completed", 0, response("completed", "[" + message_item + "]"));
const std::string own_completed = life("completed", 7, response("completed", "[" + message_item + "]", "null", "gpt"));

INSTANTIATE_TEST_SUITE_P(
    responses_tracker, complete_responses,
    testing::Values(script{"text",
                           answering + std::vector{message_done, completed_event},
                           {metadata, metadata, metadata, metadata, commits, commits, commits, end},
                           {},
                           seen(completed_event)},
                    script{"with_an_end_marker_too",
                           answering + std::vector{completed_event, std::string("[DONE]")},
                           {metadata, metadata, metadata, metadata, commits, commits, end, end},
                           {},
                           seen(completed_event)},
                    script{"keepalives_before_reasoning",
                           {created, in_progress, reasoning_added, keepalive(3), keepalive(4), reasoning_delta,
                            life("completed", 10, response("completed"))},
                           {metadata, metadata, metadata, metadata, metadata, commits, end},
                           {},
                           seen(life("completed", 10, response("completed")))},
                    script{"incomplete",
                           answering + std::vector{incomplete_event},
                           {metadata, metadata, metadata, metadata, commits, commits, end},
                           {},
                           seen(incomplete_event)},
                    script{"tool_call",
                           {created, in_progress, call_added, call_delta, call_done, call_completed},
                           {metadata, metadata, commits, commits, commits, end},
                           {},
                           seen(call_completed)},
                    script{"terminal_event_alone", {lone_event}, {end}, {}, seen(lone_event)},
                    script{"empty",
                           {created, in_progress, empty_event},
                           {metadata, metadata, end},
                           {anomaly::empty_output},
                           seen(empty_event)},
                    script{"end_marker_instead_of_the_terminal_event",
                           answering + std::vector{message_done, std::string("[DONE]")},
                           {metadata, metadata, metadata, metadata, commits, commits, commits, end},
                           {anomaly::missing_finish_reason},
                           seen(own_completed)},
                    script{"terminal_event_without_a_response",
                           answering + std::vector{message_done, event("response.completed", "", 7)},
                           {metadata, metadata, metadata, metadata, commits, commits, commits, end},
                           {anomaly::missing_finish_reason},
                           seen(own_completed)},
                    script{
                        "incomplete_without_a_response",
                        answering + std::vector{message_done, event("response.incomplete", "", 7)},
                        {metadata, metadata, metadata, metadata, commits, commits, commits, end},
                        {anomaly::missing_finish_reason},
                        seen(life("incomplete", 7, response("incomplete", "[" + message_item + "]", "null", "gpt")))},
                    script{"end_marker_after_the_beginning",
                           {created, "[DONE]"},
                           {metadata, end},
                           {anomaly::missing_finish_reason, anomaly::empty_output},
                           seen(life("completed", 1, response("completed", "[]", "null", "gpt")))},
                    script{"comments_as_data",
                           answering + std::vector{std::string(": keepalive"), std::string(), completed_event},
                           {metadata, metadata, metadata, metadata, commits, commits, metadata, metadata, end},
                           {anomaly::malformed_keepalive},
                           seen(completed_event)}),
    [](const auto& row) { return row.param.id; });

TEST(responses_tracker, relays_events_as_they_are_but_for_the_model) {
    stream s;
    std::string wanted;
    for (const std::string& data : answering + std::vector{message_done}) {
        s.send(data);
        wanted += seen(data);
    }
    EXPECT_EQ(s.out, wanted);
    s.send(completed_event);
    EXPECT_EQ(s.out, wanted) << "the terminal event waits for the metadata";
    ASSERT_TRUE(s->usage().has_value());
    EXPECT_EQ(s->usage()->total, 3);
    EXPECT_EQ(s->next_sequence(), 8);
}

TEST(responses_tracker, puts_metadata_into_the_response_of_the_terminal_event) {
    stream s;
    s.send_all(answering).send(completed_event);
    std::string wanted = seen(completed_event);
    wanted.replace(wanted.rfind("}}"), 2, R"(,"unified_routing":{"a":1}}})");
    EXPECT_EQ(s.closing(R"({"a":1})"), wanted);
}

TEST(responses_tracker, puts_metadata_into_a_response_that_is_not_last) {
    stream s;
    s.send_all(answering);
    s.send(R"({"response": { } , "type":"response.completed","sequence_number":7})");
    EXPECT_EQ(s.closing(R"({"a":1})"), "event: response.completed\ndata: "
                                       R"({"response": { "unified_routing":{"a":1}} , "type":"response.completed",)"
                                       R"("sequence_number":7})"
                                       "\n\n");
}

TEST(responses_tracker, keeps_the_type_of_a_terminal_event_without_a_response) {
    RecordProperty("rules", "RSP-DONE-007");
    for (const std::string type : {"incomplete", "completed"}) {
        stream s;
        s.send_all(answering).send_all({message_done, event("response." + type, "", 7)});
        EXPECT_EQ(s.closing(), seen(life(type, 7, response(type, "[" + message_item + "]", "null", "gpt"))));
    }
}

TEST(responses_tracker, puts_metadata_into_a_terminal_event_of_its_own) {
    stream s;
    s.send_all(answering).send_all({message_done, "[DONE]"});
    EXPECT_NE(s.closing(R"({"a":1})").find(R"("usage":null,"unified_routing":{"a":1}}})"), std::string::npos);
}

TEST(responses_tracker, tells_of_a_response_before_it_tells_what_became_of_it) {
    stream s;
    s.send(lone_event);
    EXPECT_EQ(s.out, seen(life("created", 0, response("in_progress", "[]", "null", "gpt"))));

    stream begun_late;
    begun_late.send(in_progress);
    EXPECT_EQ(begun_late.out, seen(created) + seen(in_progress));

    stream bare;
    bare.send(message_added);
    const std::string own =
        life("created", 1,
             R"({"id":"resp_own","object":"response","created_at":99,"status":"in_progress","error":null,)"
             R"("incomplete_details":null,"model":"gpt","output":[],"parallel_tool_calls":true,"tool_choice":"auto",)"
             R"("tools":[],"usage":null,"metadata":{}})");
    EXPECT_EQ(bare.out, seen(own) + seen(message_added));
}

TEST(responses_tracker, makes_a_whole_stream_of_an_end_marker) {
    stream s;
    EXPECT_EQ(s.send("[DONE]"), end);
    const std::string closing = s.closing();
    EXPECT_TRUE(closing.starts_with("event: response.created\ndata: "
                                    R"({"type":"response.created","sequence_number":0,"response":{"id":"resp_own")"))
        << closing;
    EXPECT_NE(closing.find("\n\nevent: response.completed\ndata: "
                           R"({"type":"response.completed","sequence_number":1,"response":{"id":"resp_own")"),
              closing.npos)
        << closing;
    EXPECT_THAT(s->anomalies(), ElementsAre(anomaly::missing_finish_reason, anomaly::empty_output));
}

TEST(responses_tracker, orders_items_that_finish_out_of_order) {
    stream s;
    s.send(created);
    s.send(event("response.output_item.done", R"("output_index":1,"item":{"type":"function_call","id":"b"})", 1));
    s.send(event("response.output_item.done", R"("output_index":0,"item":{"type":"function_call","id":"a"})", 2));
    s.send("[DONE]");
    EXPECT_NE(s.closing().find(R"("output":[{"type":"function_call","id":"a"},{"type":"function_call","id":"b"}])"),
              std::string::npos);
}

struct truncated {
    std::string id;
    std::vector<std::string> events;
};

class truncated_responses : public testing::TestWithParam<truncated> {};

TEST_P(truncated_responses, are_failures) {
    RecordProperty("rules", "RSP-DONE-007");
    for (const bool clean : {true, false}) {
        stream s;
        s.send_all(GetParam().events);
        EXPECT_FALSE(s->complete());
        const auto report = s->on_end(clean);
        ASSERT_TRUE(report.has_value());
        EXPECT_EQ(report->origin, failure_origin::stream_truncated);
        EXPECT_EQ(s->failure().origin, failure_origin::stream_truncated);
        EXPECT_THAT(s->anomalies(), IsEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(
    responses_tracker, truncated_responses,
    testing::Values(truncated{"nothing", {}}, truncated{"beginning", {created, in_progress}},
                    truncated{"keepalives", {created, keepalive(1)}}, truncated{"text", answering},
                    truncated{"every_item_done", answering + std::vector{message_done}},
                    truncated{"end_marker_within_an_item", answering + std::vector{std::string("[DONE]")}},
                    truncated{"completed_without_a_response_within_an_item",
                              answering + std::vector{event("response.completed", "", 6)}},
                    truncated{"end_marker_after_text_without_an_item", {created, text_delta("a", 1), "[DONE]"}}),
    [](const auto& row) { return row.param.id; });

struct error_row {
    std::string id;
    std::string data;
    int status;
    std::string code;
    std::string message;
    std::string name = {};
    failure_origin origin = failure_origin::error_event;
};

class response_errors : public testing::TestWithParam<error_row> {};

TEST_P(response_errors, end_the_attempt_and_write_nothing) {
    const error_row& row = GetParam();
    for (const bool committed : {false, true}) {
        stream s;
        s.send_all(committed ? answering : std::vector{created, in_progress});
        s.out.clear();
        EXPECT_EQ(s.send(row.data, row.name), error);
        EXPECT_EQ(s.send(completed_event), error) << "a terminal event does not undo an error";
        EXPECT_EQ(s.out, "");
        EXPECT_FALSE(s->complete());
        EXPECT_EQ(s->failure().origin, row.origin);
        EXPECT_EQ(s->failure().status, row.status);
        EXPECT_EQ(s->failure().code, row.code);
        EXPECT_EQ(s->failure().message, row.message);
        EXPECT_TRUE(s->on_end(true).has_value());
    }
}

std::string failing(const std::string& error, const std::string& status = "failed") {
    return R"({"id":"resp_1","object":"response","status":")" + status + R"(","error":)" + error
           + R"(,"output":[],"metadata":{"code":"c","reasons":[]}})";
}
constexpr auto malformed = failure_origin::malformed_body;

INSTANTIATE_TEST_SUITE_P(
    responses_tracker, response_errors,
    testing::Values(
        error_row{"documented",
                  R"({"type":"error","code":"server_error","message":"m","param":null,)"
                  R"("sequence_number":2})",
                  0, "server_error", "m"},
        error_row{"as_it_is_sent",
                  R"({"type":"error","sequence_number":2,"error":{"type":"insufficient_quota",)"
                  R"("code":"insufficient_quota","message":"m","param":null}})",
                  0, "insufficient_quota", "m"},
        error_row{"named", R"({"message":"m"})", 0, "", "m", "error"},
        error_row{"named_without_json", "boom", 0, "", "", "error"},
        error_row{"named_and_empty", "", 0, "", "", "error"},
        error_row{"untyped", R"({"error":{"code":429,"message":"m"}})", 429, "429", "m"},
        error_row{"flat", R"({"object":"error","message":"m","code":400})", 400, "400", "m"},
        error_row{"foreign_type", R"({"type":"message","error":{"message":"m"}})", 0, "", "m"},
        error_row{"array", R"([{"error":{"code":429,"message":"m"}}])", 429, "429", "m"},
        error_row{"failed", life("failed", 2, failing(R"({"code":"context_length_exceeded","message":"m"})")), 0,
                  "context_length_exceeded", "m"},
        error_row{"failed_by_another_name", life("failed", 2, failing(R"({"code":"c","message":"m"})")), 0, "c", "m",
                  "error"},
        error_row{"failed_without_an_error", life("failed", 2, failing("null")), 0, "", ""},
        error_row{"failed_in_words", life("failed", 2, failing(R"("boom")")), 0, "", "boom"},
        error_row{"cancelled", life("cancelled", 2, failing("null", "cancelled")), 400, "response_cancelled",
                  "The response was cancelled."},
        error_row{"completed_with_an_error",
                  life("completed", 2, failing(R"({"code":"c","message":"m"})", "completed")), 0, "c", "m"},
        error_row{"completed_but_cancelled", life("completed", 2, failing("null", "cancelled")), 400,
                  "response_cancelled", "The response was cancelled."},
        error_row{"chat_chunk", R"({"object":"chat.completion.chunk","choices":[]})", 0, "", "", {}, malformed},
        error_row{"html", "<html></html>", 0, "", "", {}, malformed},
        error_row{"cut_json", R"({"type":"response.output_text.delta")", 0, "", "", {}, malformed},
        error_row{"no_object", R"("hello")", 0, "", "", {}, malformed},
        error_row{"type_is_a_number", R"({"type":1})", 0, "", "", {}, malformed},
        error_row{"type_of_two_lines", R"({"type":"response.a\nb"})", 0, "", "", {}, malformed},
        error_row{"type_with_a_blank", R"({"type":"response.a b"})", 0, "", "", {}, malformed},
        error_row{"broken_utf8", "{\"type\":\"response.x\",\"x\":\"\xFF\"}", 0, "", "", {}, malformed}),
    [](const auto& row) { return row.param.id; });

TEST(responses_tracker, takes_a_failed_tool_for_no_failed_response) {
    stream s;
    s.send_all({created, call_added});
    EXPECT_EQ(s.send(event("response.mcp_call.failed", R"("item_id":"m","error":{"message":"m"})", 3)), commits);
    EXPECT_EQ(s.send(event("response.mcp_call.failed", R"("error":"m")", 4)), commits);
}

TEST(responses_tracker, drops_what_keeps_a_connection_alive) {
    stream s;
    s.send(keepalive(0));
    s.send(created);
    s.send(keepalive(8));
    s.send(R"({"type":"ping"})");
    s.send("{}", "keepalive");
    EXPECT_EQ(s.out, seen(created));
    EXPECT_EQ(s->next_sequence(), 11) << "the number of what was dropped is taken";
}

TEST(responses_tracker, names_every_event_as_its_data_does) {
    stream s;
    s.send(created, "message");
    EXPECT_EQ(s.out, seen(created));
    s.out.clear();
    s.send(R"({"sequence_number":1,"delta":"x"})", "response.output_text.delta");
    EXPECT_EQ(s.out, "event: response.output_text.delta\n"
                     R"(data: {"type":"response.output_text.delta","sequence_number":1,"delta":"x"})"
                     "\n\n");
    s.out.clear();
    s.send(R"({"type":"response.output_text\u002edelta","delta":"x"})");
    EXPECT_EQ(s.out, "event: response.output_text.delta\n"
                     R"(data: {"type":"response.output_text\u002edelta","delta":"x"})"
                     "\n\n");
    s.out.clear();
    s.send("{}", "response.news");
    EXPECT_EQ(s.out, "event: response.news\ndata: {\"type\":\"response.news\"}\n\n");
}

TEST(responses_tracker, keeps_the_framing_of_data_with_line_breaks) {
    stream s;
    s.send("{\"type\":\"response.created\",\n\"response\":{}\r\n}");
    EXPECT_EQ(s.out,
              "event: response.created\ndata: {\"type\":\"response.created\",\ndata: \"response\":{}\ndata: }\n\n");
}

TEST(responses_tracker, counts_events_that_have_no_number) {
    stream s;
    s.send(R"({"type":"response.created","response":{}})");
    s.send(R"({"type":"response.output_text.delta","delta":"x"})");
    EXPECT_EQ(s->next_sequence(), 2);
    s.send(event("response.output_text.delta", R"("delta":"x")", 40));
    EXPECT_EQ(s->next_sequence(), 41);
    s.send(R"({"type":"response.output_text.delta","delta":"x","sequence_number":9223372036854775807})");
    EXPECT_EQ(s->next_sequence(), 42);
    s.send(R"({"type":"response.output_text.delta","delta":"x","sequence_number":-7})");
    EXPECT_EQ(s->next_sequence(), 43);
}

TEST(responses_tracker, keeps_only_so_much_for_a_terminal_event_that_may_not_come) {
    for (const bool too_much : {false, true}) {
        stream s;
        s.send(created);
        const std::string head = R"("output_index":0,"item":{"type":"function_call","arguments":")";
        const std::size_t item_head = head.size() - head.find('{') + 2;
        s.send(event("response.output_item.done",
                     head + std::string((std::size_t{128} << 10U) - item_head + (too_much ? 1 : 0), 'x') + "\"}", 1));
        EXPECT_EQ(s.send("[DONE]"), too_much ? error : end);
    }
}

TEST(responses_tracker, misses_an_item_that_another_one_does_not_stand_for) {
    for (const int done : {0, 1}) {
        stream s;
        s.send(created);
        s.send(event("response.output_item.added", R"("output_index":0,"item":{"type":"function_call","id":"a"})", 1));
        s.send(event("response.output_item.done",
                     R"("output_index":)" + std::to_string(done) + R"(,"item":{"type":"function_call","id":"b"})", 2));
        EXPECT_EQ(s.send("[DONE]"), done == 0 ? end : error);
    }
}

TEST(responses_tracker, takes_numbers_that_no_counter_holds_for_none) {
    stream s;
    s.send(R"({"type":"response.output_text.delta","delta":"x","sequence_number":-9223372036854775808})");
    EXPECT_NE(s.out.find(R"("sequence_number":0)"), std::string::npos) << s.out;
    s.send(R"({"type":"response.output_text.delta","delta":"x","sequence_number":9223372036854775806})");
    s.send(R"({"type":"response.output_text.delta","delta":"x"})");
    EXPECT_EQ(s->next_sequence(), 3);
    s.send(
        R"({"type":"response.completed","response":{"usage":{"input_tokens":9223372036854775807,"output_tokens":1}}})");
    EXPECT_EQ(s->usage()->total, (std::int64_t{1} << 53U) + 1);
}

TEST(responses_tracker, reads_what_an_upstream_wraps_around_the_deepest_request) {
    stream s;
    const std::string deepest = std::string(127, '[') + std::string(127, ']');
    s.send(R"({"type":"response.created","sequence_number":0,"response":{"tools":)" + deepest + "}}");
    EXPECT_EQ(s.classes.back(), metadata);
}

TEST(responses_tracker, tells_whole_data_from_cut_data) {
    stream s;
    EXPECT_TRUE(s->is_whole("[DONE]"));
    EXPECT_TRUE(s->is_whole(completed_event + "\n"));
    for (const std::string& data : {std::string(), std::string("[DON"), completed_event.substr(0, 40)}) {
        EXPECT_FALSE(s->is_whole(data)) << data;
    }
}

} // namespace
} // namespace turnout::codec::responses
