#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "messages_stream.hpp"

// How message streams begin, commit and end. A script is what an upstream sends; the expectation is what the tracker
// makes of it.
namespace turnout::codec::messages {
namespace {

using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;
using enum frame_class;

enum class ending { none, clean, unclean };

struct script {
    std::string id;
    std::vector<std::string> payloads;
    ending end = ending::none; ///< `none`: nothing was read to the end
    std::vector<frame_class> classes;
    std::vector<anomaly> anomalies;
    std::string closing = stop_event;
};

class complete_message_streams : public testing::TestWithParam<script> {};

TEST_P(complete_message_streams, are_whole_for_the_client) {
    const script& c = GetParam();
    stream s;
    s.send_all(c.payloads);
    EXPECT_EQ(s.classes, c.classes);
    EXPECT_TRUE(s->complete());
    if (c.end != ending::none) {
        EXPECT_FALSE(s->on_end(c.end == ending::clean).has_value());
    }
    EXPECT_EQ(s.closing(), c.closing);
    EXPECT_EQ(s->anomalies(), c.anomalies);
}

std::string own_stop(int index = 0) { return event_of("content_block_stop", block_stop(index)); }
std::string own_delta(const std::string& reason, int output = 1) {
    return event_of("message_delta", message_delta(reason, output));
}
const std::string own_start = event_of(
    "message_start", R"({"type":"message_start","message":{"id":"msg_own","type":"message","role":"assistant",)"
                     R"("model":"claude","content":[],"stop_reason":null,"stop_sequence":null,)"
                     R"("usage":{"input_tokens":0,"output_tokens":0}}})");

INSTANTIATE_TEST_SUITE_P(
    messages_tracker, complete_message_streams,
    testing::Values(
        script{"whole",
               {message_start, ping_data, text_start, text_delta("a"), text_delta("b"), block_stop(), message_delta(),
                message_stop},
               ending::none,
               {metadata, metadata, metadata, commits, commits, metadata, finished, end},
               {}},
        script{"without_message_stop",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta()},
               ending::clean,
               {metadata, metadata, commits, metadata, finished},
               {anomaly::missing_message_stop}},
        script{"gave_up_waiting_for_message_stop",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta()},
               ending::none,
               {metadata, metadata, commits, metadata, finished},
               {anomaly::missing_message_stop}},
        script{"cut_after_the_finish",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta()},
               ending::unclean,
               {metadata, metadata, commits, metadata, finished},
               {anomaly::missing_message_stop, anomaly::unclean_close}},
        script{"message_stop_without_stop_reason",
               {message_start, text_start, text_delta("a"), message_stop},
               ending::none,
               {metadata, metadata, commits, end},
               {anomaly::missing_finish_reason, anomaly::missing_content_block_stop},
               own_stop() + own_delta("end_turn") + stop_event},
        script{"message_stop_without_stop_reason_of_a_tool",
               {message_start, tool_start, block_stop(), message_stop},
               ending::none,
               {metadata, commits, metadata, end},
               {anomaly::missing_finish_reason},
               own_delta("tool_use") + stop_event},
        script{"provider_s_own_tool_is_not_for_the_client",
               {message_start, block_start(R"({"type":"server_tool_use","id":"t","name":"f","input":{}})"),
                block_stop(), message_stop},
               ending::none,
               {metadata, commits, metadata, end},
               {anomaly::missing_finish_reason},
               own_delta("end_turn") + stop_event},
        script{"message_delta_without_stop_reason",
               {message_start, text_start, text_delta("a"), block_stop(),
                R"({"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":7}})", message_stop},
               ending::none,
               {metadata, metadata, commits, metadata, metadata, end},
               {anomaly::missing_finish_reason},
               own_delta("end_turn", 7) + stop_event},
        script{"refusal_without_a_block",
               {message_start, ping_data, message_delta("refusal"), message_stop},
               ending::none,
               {metadata, metadata, finished, end},
               {anomaly::empty_output}},
        script{"message_stop_alone",
               {message_stop},
               ending::none,
               {end},
               {anomaly::missing_finish_reason, anomaly::empty_output},
               own_start + own_delta("end_turn", 0) + stop_event},
        script{"error_after_the_finish",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(),
                R"({"type":"error","error":{"type":"overloaded_error","message":"m"}})"},
               ending::clean,
               {metadata, metadata, commits, metadata, finished, metadata},
               {anomaly::error_after_finish, anomaly::missing_message_stop}},
        script{"garbage_after_the_finish",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(), "<html>", message_start},
               ending::clean,
               {metadata, metadata, commits, metadata, finished, metadata, metadata},
               {anomaly::error_after_finish, anomaly::missing_message_stop}},
        script{"another_message_after_the_finish",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(), message_start, text_start,
                text_delta("b")},
               ending::clean,
               {metadata, metadata, commits, metadata, finished, metadata, metadata, metadata},
               {anomaly::error_after_finish, anomaly::missing_message_stop}},
        script{"end_marker_of_the_chat_protocol",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(), "[DONE]", "<html>"},
               ending::none,
               {metadata, metadata, commits, metadata, finished, end, end},
               {anomaly::missing_message_stop}},
        script{"end_marker_of_the_chat_protocol_too_early",
               {message_start, "[DONE]", message_stop},
               ending::none,
               {metadata, metadata, end},
               {anomaly::missing_finish_reason, anomaly::empty_output},
               own_delta("end_turn") + stop_event},
        script{"nothing_counts_after_message_stop",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(), message_stop, "<html>"},
               ending::none,
               {metadata, metadata, commits, metadata, finished, end, end},
               {}},
        script{"message_stop_with_more_in_it",
               {message_start, text_start, text_delta("a"), block_stop(), message_delta(),
                R"({"type":"message_stop","metrics":{"latency":1}})"},
               ending::none,
               {metadata, metadata, commits, metadata, finished, end},
               {},
               event_of("message_stop", R"({"type":"message_stop","metrics":{"latency":1}})")},
        script{"keepalives_as_data",
               {": keepalive", "", message_start, ping_data, text_start, text_delta("a"), block_stop(), message_delta(),
                message_stop},
               ending::none,
               {metadata, metadata, metadata, metadata, metadata, commits, metadata, finished, end},
               {anomaly::malformed_keepalive}}),
    [](const auto& row) { return row.param.id; });

struct truncated {
    std::string id;
    std::vector<std::string> payloads;
    bool clean = true;
};

class truncated_message_streams : public testing::TestWithParam<truncated> {};

TEST_P(truncated_message_streams, are_failures) {
    stream s;
    s.send_all(GetParam().payloads);
    EXPECT_FALSE(s->complete());
    const auto report = s->on_end(GetParam().clean);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->origin, failure_origin::stream_truncated);
    EXPECT_EQ(s->failure().origin, failure_origin::stream_truncated);
    EXPECT_THAT(s->anomalies(), IsEmpty());
    EXPECT_EQ(s->on_end(true)->origin, failure_origin::stream_truncated);
}

INSTANTIATE_TEST_SUITE_P(
    messages_tracker, truncated_message_streams,
    testing::Values(truncated{"nothing_at_all", {}}, truncated{"keepalives_only", {ping_data, ""}},
                    truncated{"start_and_ping", {message_start, ping_data}},
                    truncated{"text_then_cut", {message_start, text_start, text_delta("a")}, false},
                    truncated{"text_then_clean_end", {message_start, text_start, text_delta("a"), block_stop()}},
                    truncated{"end_marker_of_another_protocol",
                              {message_start, text_start, text_delta("a"), "[DONE]"}}),
    [](const auto& row) { return row.param.id; });

TEST(messages_tracker, relays_what_it_reads_under_its_name) {
    stream s;
    s.send_all({message_start, text_start, text_delta("a"), block_stop(), message_delta()});
    EXPECT_EQ(s.out, seen(message_start) + seen(text_start) + seen(text_delta("a")) + seen(block_stop())
                         + seen(message_delta()));
}

TEST(messages_tracker, drops_pings_before_and_after_the_start) {
    stream s;
    s.send(ping_data, "ping");
    s.send("", "ping");
    s.send("soon", "ping");
    s.send_all({message_start, ping_data});
    s.send(ping_data);
    EXPECT_EQ(s.out, seen(message_start));
}

TEST(messages_tracker, does_not_take_two_streams_for_one) {
    stream s;
    s.send_all({message_start, text_start, text_delta("a"), message_start, text_delta("b")});
    EXPECT_THAT(s.classes, ElementsAre(metadata, metadata, commits, error, error));
    EXPECT_EQ(s->failure().origin, failure_origin::malformed_body);
    EXPECT_EQ(s.out, seen(message_start) + seen(text_start) + seen(text_delta("a")));
}

TEST(messages_tracker, writes_the_start_that_is_missing_once) {
    stream s;
    s.send_all({text_start, text_delta("a")});
    EXPECT_EQ(s.out, own_start + seen(text_start) + seen(text_delta("a")));
    EXPECT_EQ(s.send(message_start), error);

    for (const std::string& first : {text_delta("a"), block_stop(), message_delta()}) {
        stream other;
        other.send(first);
        EXPECT_EQ(other.out, own_start + seen(first));
    }
}

TEST(messages_tracker, stops_an_open_block_before_the_message_finishes) {
    stream s;
    s.send_all({message_start, text_start, text_delta("a")});
    s.out.clear();
    s.send(message_delta());
    EXPECT_EQ(s.out, own_stop() + seen(message_delta()));
    s.out.clear();
    EXPECT_EQ(s.send(block_stop()), metadata); // too late: the client was told already
    EXPECT_EQ(s.out, "");
    EXPECT_EQ(s.closing(), stop_event);
}

TEST(messages_tracker, stops_every_block_that_is_open_at_the_close) {
    stream s;
    s.send_all({message_start, block_start(R"({"type":"text","text":""})", 0),
                block_start(R"({"type":"text","text":""})", 2), block_start(R"({"type":"text","text":""})", 7),
                block_stop(2), message_stop});
    EXPECT_EQ(s.closing(), own_stop(0) + own_stop(7) + own_delta("end_turn") + stop_event);
}

TEST(messages_tracker, relays_a_stop_of_a_block_that_never_began) {
    stream s;
    s.send_all({message_start, block_stop(3)});
    EXPECT_EQ(s.out, seen(message_start) + seen(block_stop(3)));
}

TEST(messages_tracker, puts_routing_metadata_behind_the_stop) {
    stream s;
    s.send_all({message_start, text_start, text_delta("a"), block_stop(), message_delta(), message_stop});
    EXPECT_EQ(s.closing(R"({"attempts":1})"),
              stop_event
                  + event_of("routing_metadata", R"({"type":"routing_metadata","unified_routing":{"attempts":1}})"));
}

TEST(messages_tracker, finishes_once) {
    stream s;
    s.send_all({message_start, message_delta("max_tokens"), message_delta("end_turn", 9)});
    EXPECT_THAT(s.classes, ElementsAre(metadata, finished, metadata));
    EXPECT_EQ(s->usage()->completion, 9);
}

TEST(messages_tracker, counts_what_was_cut_off_without_a_blank_line_if_it_is_whole) {
    stream s;
    EXPECT_TRUE(s->is_whole(message_stop));
    EXPECT_TRUE(s->is_whole(" [DONE]"));
    EXPECT_FALSE(s->is_whole(message_stop.substr(0, message_stop.size() - 1)));
    EXPECT_FALSE(s->is_whole(""));
}

TEST(messages_tracker, is_not_numbered) { EXPECT_EQ(stream()->next_sequence(), 0); }

TEST(messages_tracker, relays_nothing_of_another_message_behind_the_finish) {
    stream s;
    s.send_all({message_start, text_start, text_delta("a"), block_stop(), message_delta()});
    const std::string whole = s.out;
    s.send_all({message_start, text_start, text_delta("b"), block_stop(), message_delta("max_tokens")});
    EXPECT_EQ(s.out, whole);
    EXPECT_EQ(s.send(message_stop), frame_class::end);
}

} // namespace
} // namespace turnout::codec::messages
