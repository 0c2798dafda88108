#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chat_stream.hpp"

// How streams begin, commit and end. A script is what an upstream sends; the expectation is what the tracker makes of it.
namespace turnout::codec::chat {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;
using enum frame_class;

enum class ending { none, clean, unclean };

struct script {
    std::string id;
    std::vector<std::string> payloads;
    ending end = ending::none; ///< `none`: the end marker was the last thing read
    std::vector<frame_class> classes;
    std::vector<anomaly> anomalies;
    std::string closing = done_event;
    unsigned n = 1;
};

class complete_streams : public testing::TestWithParam<script> {};

TEST_P(complete_streams, are_whole_for_the_client) {
    const script& c = GetParam();
    stream s(c.n);
    s.send_all(c.payloads);
    EXPECT_EQ(s.classes, c.classes);
    if (c.end != ending::none) {
        EXPECT_FALSE(s->on_end(c.end == ending::clean).has_value());
    } else {
        EXPECT_TRUE(s->complete());
    }
    EXPECT_EQ(s.closing(), c.closing);
    EXPECT_EQ(s->anomalies(), c.anomalies);
}

const std::string tool_frame =
    frame(R"({"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":""}}]})");
const std::string own_role_frame =
    R"("choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]})"
    "\n\n";
const std::string bare_head =
    R"(data: {"id":"chatcmpl-own","object":"chat.completion.chunk","created":99,"model":"gpt",)";

INSTANTIATE_TEST_SUITE_P(
    chat_tracker, complete_streams,
    testing::Values(script{"whole",
                           {role_frame, text_frame("a"), text_frame("b"), finish_frame(), usage_frame, "[DONE]"},
                           ending::none,
                           {metadata, commits, commits, finished, metadata, end},
                           {}},
                    script{"without_end_marker",
                           {role_frame, text_frame("a"), finish_frame(), usage_frame},
                           ending::clean,
                           {metadata, commits, finished, metadata},
                           {anomaly::missing_done}},
                    script{"gave_up_waiting_for_the_end_marker",
                           {role_frame, text_frame("a"), finish_frame()},
                           ending::none,
                           {metadata, commits, finished},
                           {anomaly::missing_done}},
                    script{"end_marker_without_finish",
                           {role_frame, text_frame("a"), "[DONE]"},
                           ending::none,
                           {metadata, commits, end},
                           {anomaly::missing_finish_reason},
                           own_finish("stop") + done_event},
                    script{"end_marker_without_finish_of_tools",
                           {role_frame, tool_frame, "[DONE]"},
                           ending::none,
                           {metadata, commits, end},
                           {anomaly::missing_finish_reason},
                           own_finish("tool_calls") + done_event},
                    script{"older_function_call",
                           {role_frame, frame(R"({"function_call":{"name":"f"}})"), "[DONE]"},
                           ending::none,
                           {metadata, commits, end},
                           {anomaly::missing_finish_reason},
                           own_finish("function_call") + done_event},
                    script{"finish_without_output",
                           {role_frame, finish_frame(), "[DONE]"},
                           ending::none,
                           {metadata, finished, end},
                           {anomaly::empty_output}},
                    script{"end_marker_alone",
                           {"[DONE]"},
                           ending::none,
                           {end},
                           {anomaly::missing_finish_reason, anomaly::empty_output},
                           bare_head + own_role_frame + bare_head
                               + R"("choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
                                 "\n\n"
                               + done_event},
                    script{"cut_after_finish",
                           {role_frame, text_frame("a"), finish_frame()},
                           ending::unclean,
                           {metadata, commits, finished},
                           {anomaly::missing_done, anomaly::unclean_close}},
                    script{"error_after_finish",
                           {role_frame, text_frame("a"), finish_frame(), R"({"error":{"message":"m"}})"},
                           ending::clean,
                           {metadata, commits, finished, metadata},
                           {anomaly::error_after_finish, anomaly::missing_done}},
                    script{"garbage_after_finish",
                           {text_frame("a"), finish_frame(), "<html>"},
                           ending::clean,
                           {commits, finished, metadata},
                           {anomaly::error_after_finish, anomaly::missing_done}},
                    script{"two_choices_interleaved",
                           {role_frame, frame(role_delta, 1), text_frame("a"), text_frame("b", 1), finish_frame(),
                            finish_frame("stop", 1)},
                           ending::clean,
                           {metadata, metadata, commits, commits, metadata, finished},
                           {anomaly::missing_done},
                           done_event,
                           2},
                    script{"two_choices_in_one_frame",
                           {chunk(choice_of(R"({"role":"assistant","content":"a"})") + ","
                                  + choice_of(R"({"role":"assistant","content":"b"})", 1)),
                            chunk(choice_of("{}", 0, R"("stop")") + "," + choice_of("{}", 1, R"("length")")), "[DONE]"},
                           ending::none,
                           {commits, finished, end},
                           {},
                           done_event,
                           2},
                    script{"fewer_choices_with_end_marker",
                           {role_frame, text_frame("a"), finish_frame(), "[DONE]"},
                           ending::none,
                           {metadata, commits, metadata, end},
                           {anomaly::unmet_n},
                           done_event,
                           2},
                    script{"fewer_choices_with_clean_end",
                           {role_frame, text_frame("a"), finish_frame()},
                           ending::clean,
                           {metadata, commits, metadata},
                           {anomaly::missing_done, anomaly::unmet_n},
                           done_event,
                           2},
                    script{"second_choice_unfinished_with_end_marker",
                           {role_frame, text_frame("a"), frame(role_delta, 1), finish_frame(), "[DONE]"},
                           ending::none,
                           {metadata, commits, metadata, metadata, end},
                           {anomaly::missing_finish_reason},
                           own_finish("stop", 1) + done_event,
                           2},
                    script{"finish_together_with_content",
                           {role_frame, chunk(choice_of(R"({"content":"a"})", 0, R"("stop")")), "[DONE]"},
                           ending::none,
                           {metadata, commits, end},
                           {}},
                    script{"odd_finish_word",
                           {text_frame("a"), finish_frame("eos"), "[DONE]"},
                           ending::none,
                           {commits, finished, end},
                           {}},
                    script{"empty_finish_word_is_none",
                           {text_frame("a"), finish_frame(""), "[DONE]"},
                           ending::none,
                           {commits, metadata, end},
                           {anomaly::missing_finish_reason},
                           own_finish("stop") + done_event},
                    script{"nothing_counts_after_the_end_marker",
                           {text_frame("a"), finish_frame(), "[DONE]", "<html>"},
                           ending::none,
                           {commits, finished, end, end},
                           {}},
                    script{"choice_that_only_was_annotated",
                           {chunk(R"({"index":0,"finish_reason":null,"content_filter_offsets":{}})"), "[DONE]"},
                           ending::none,
                           {metadata, end},
                           {anomaly::missing_finish_reason, anomaly::empty_output},
                           own_head + own_role_frame + own_finish("stop") + done_event},
                    script{"ran_out_of_resources_after_output",
                           {text_frame("a"), finish_frame("insufficient_system_resource"), "[DONE]"},
                           ending::none,
                           {commits, finished, end},
                           {anomaly::missing_finish_reason}},
                    script{"keepalives_as_data",
                           {": keepalive", "", R"({"type":"ping"})", text_frame("a"), finish_frame(), "[DONE]"},
                           ending::none,
                           {metadata, metadata, metadata, commits, finished, end},
                           {anomaly::malformed_keepalive}}),
    [](const auto& row) { return row.param.id; });

struct truncated {
    std::string id;
    std::vector<std::string> payloads;
    bool clean = true;
    unsigned n = 1;
};

class truncated_streams : public testing::TestWithParam<truncated> {};

TEST_P(truncated_streams, are_failures) {
    stream s(GetParam().n);
    s.send_all(GetParam().payloads);
    EXPECT_FALSE(s->complete());
    const auto report = s->on_end(GetParam().clean);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, failure_origin::stream_truncated);
    EXPECT_EQ(s->failure().origin, failure_origin::stream_truncated);
    EXPECT_THAT(s->anomalies(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    chat_tracker, truncated_streams,
    testing::Values(
        truncated{"nothing_at_all", {}}, truncated{"role_only", {role_frame}}, truncated{"keepalive_only", {""}},
        truncated{"usage_only", {usage_frame}}, truncated{"content_then_cut", {role_frame, text_frame("a")}, false},
        truncated{"content_then_clean_end", {role_frame, text_frame("a")}, true},
        truncated{
            "second_choice_unfinished", {role_frame, frame(role_delta, 1), text_frame("a"), finish_frame()}, true, 2},
        truncated{"fewer_choices_and_unclean", {role_frame, text_frame("a"), finish_frame()}, false, 2}),
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

class error_frames : public testing::TestWithParam<error_row> {};

TEST_P(error_frames, end_the_attempt_and_write_nothing) {
    const error_row& row = GetParam();
    for (const bool committed : {false, true}) {
        stream s;
        s.send(committed ? text_frame("a") : role_frame);
        s.out.clear();
        EXPECT_EQ(s.send(row.data, row.name), error);
        EXPECT_EQ(s.send("[DONE]"), error) << "an end marker does not undo an error";
        EXPECT_EQ(s.out, "");
        EXPECT_FALSE(s->complete());
        EXPECT_EQ(s->failure().origin, row.origin);
        EXPECT_EQ(s->failure().status, row.status);
        EXPECT_EQ(s->failure().code, row.code);
        EXPECT_EQ(s->failure().message, row.message);
        EXPECT_TRUE(s->on_end(true).has_value());
    }
}

INSTANTIATE_TEST_SUITE_P(
    chat_tracker, error_frames,
    testing::Values(
        error_row{"nested", R"({"error":{"message":"m","type":"server_error","code":"server_error"}})", 0,
                  "server_error", "m"},
        error_row{"groq",
                  R"({"error":{"message":"m","type":"invalid_request_error","code":"tool_use_failed",)"
                  R"("failed_generation":"x","status_code":400}})",
                  400, "tool_use_failed", "m", "error"},
        error_row{"openrouter",
                  R"({"id":"g","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],)"
                  R"("error":{"code":502,"message":"m","metadata":{}}})",
                  502, "502", "m"},
        error_row{"flat", R"({"object":"error","message":"m","type":"BadRequestError","code":400})", 400, "400", "m"},
        error_row{"text", R"({"error":"overloaded"})", 0, "", "overloaded"},
        error_row{"other_contract", R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})", 0, "",
                  "m"},
        error_row{"groq_cut_off", R"({"id":"g","choices":[],"x_groq":{"id":"req_1","error":"m"}})", 0, "", "m"},
        error_row{"error_of_a_choice",
                  R"({"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":429,"message":"m"}}]})",
                  429, "429", "m"},
        error_row{"array", R"([{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}])", 429, "429", "m"},
        error_row{"named_event", R"({"message":"m"})", 0, "", "m", "error"},
        error_row{"named_event_without_json", "boom", 0, "", "", "error"},
        error_row{"error_as_finish_reason", finish_frame("error"), 500, "error", ""},
        error_row{"html", "<html></html>", 0, "", "", {}, failure_origin::malformed_body},
        error_row{"cut_json", R"({"choices":[)", 0, "", "", {}, failure_origin::malformed_body},
        error_row{"not_an_object", R"("hello")", 0, "", "", {}, failure_origin::malformed_body},
        error_row{"broken_utf8", "{\"choices\":[],\"x\":\"\xFF\"}", 0, "", "", {}, failure_origin::malformed_body}),
    [](const auto& row) { return row.param.id; });

TEST(chat_tracker, takes_exhaustion_before_output_for_a_failure) {
    stream s;
    s.send(role_frame);
    EXPECT_EQ(s.send(finish_frame("insufficient_system_resource")), error);
    EXPECT_EQ(s->failure().status, 503);
    EXPECT_EQ(s->failure().code, "insufficient_system_resource");
}

TEST(chat_tracker, shows_exhaustion_after_output_as_length) {
    stream s;
    s.send(text_frame("a"));
    s.out.clear();
    s.send(finish_frame("insufficient_system_resource"));
    EXPECT_EQ(s.out, seen(finish_frame("length")));
}

TEST(chat_tracker, takes_an_error_beside_an_ordinary_finish_for_a_remark) {
    stream s;
    s.send(text_frame("a"));
    s.send(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop","error":{"code":429,"message":"m"}}]})");
    EXPECT_TRUE(s->complete());
}

TEST(chat_tracker, takes_null_and_empty_errors_for_none) {
    stream s;
    EXPECT_EQ(s.send(chunk(choice_of(R"({"content":"a"})"), R"(,"error":null)")), commits);
    EXPECT_EQ(s.send(chunk(choice_of(R"({"content":"a"})"), R"(,"error":"")")), commits);
}

TEST(chat_tracker, tells_whole_data_from_cut_data) {
    stream s;
    EXPECT_TRUE(s->is_whole("[DONE]"));
    EXPECT_TRUE(s->is_whole(finish_frame() + "\n"));
    for (const std::string& data : {std::string(), std::string("[DON"), finish_frame().substr(0, 40)}) {
        EXPECT_FALSE(s->is_whole(data)) << data;
    }
}

} // namespace
} // namespace turnout::codec::chat
