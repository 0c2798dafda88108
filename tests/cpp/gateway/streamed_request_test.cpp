#include <chrono>
#include <string>

#include "gateway/running.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class streamed_request : public running {
protected:
    /// A stream that has begun at a client with a small window.
    net::raw_socket begun(int receive_buffer = 0) {
        auto c = client(receive_buffer);
        c.send(stream());
        await_request(up_a);
        up_a.begin_stream();
        up_a.delta("first");
        await(c, "first");
        return c;
    }

    /// Sends deltas until nothing takes them any more; how many bytes that were.
    std::size_t flood() {
        const std::string text(8'000, 't');
        std::string chunk;
        const auto event =
            R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,)"
            R"("delta":{"content":")"
            + text + R"("},"finish_reason":null}]})" + "\n\n";
        char size[20];
        std::snprintf(size, sizeof size, "%zx\r\n", event.size());
        chunk = size + event + "\r\n";
        std::size_t total = 0;
        for (int quiet = 0; quiet < 10;) {
            const auto n = up_a.talks.send(std::string_view(chunk).substr(total % chunk.size()));
            total += n;
            quiet = n == 0 ? quiet + 1 : 0;
            turns().turn();
        }
        rest = chunk.substr(total % chunk.size());
        if (rest.size() == chunk.size()) rest.clear();
        events = (total + rest.size()) / chunk.size();
        return total;
    }

    std::string rest; ///< of the chunk that was cut by the full buffers
    std::size_t events = 0;
};

TEST_F(streamed_request, is_relayed_event_by_event) {
    auto c = begun();
    EXPECT_THAT(c.take(), AllOf(StartsWith("HTTP/1.1 200 OK\r\ndate: "),
                                HasSubstr("GMT\r\ncontent-type: text/event-stream; charset=utf-8\r\n")));
    up_a.delta("second");
    turns().turn();
    EXPECT_THAT(c.take(), HasSubstr("second"));
    up_a.finish();
    up_a.done();
    turns().turn();
    EXPECT_THAT(c.read(), EndsWith("data: [DONE]\n\n\r\n0\r\n\r\n"));
    EXPECT_FALSE(c.ended());
    EXPECT_THAT(log, ElementsAre(HasSubstr("stream=true status=200 ms=0 served=\"a\"")));
    expect_nothing_left();
}

TEST_F(streamed_request, leaves_its_upstream_connection_for_the_next) {
    auto c = begun();
    up_a.finish();
    up_a.done();
    await(c, "[DONE]");
    c.take();
    up_a.talks.take();
    c.send(chat());
    await_request(up_a);
    up_a.answer(200, good_answer);
    await(c, "hello");
    net::raw_socket another;
    EXPECT_FALSE(up_a.port.accept(another));
}

TEST_F(streamed_request, holds_what_comes_before_the_commit_and_drops_it_when_it_moves_on) {
    auto c = client();
    c.send(stream());
    await_request(up_a);
    up_a.begin_stream();
    up_a.event(R"({"id":"preamble-of-a","object":"chat.completion.chunk","created":1,"model":"up","choices":[]})");
    turns().turn();
    EXPECT_EQ(c.read(), "");
    up_a.talks.close();
    await_request(up_b);
    up_b.begin_stream();
    up_b.delta("from b");
    up_b.finish();
    up_b.done();
    await(c, "[DONE]");
    EXPECT_THAT(c.read(), AllOf(HasSubstr("from b"), Not(HasSubstr("preamble-of-a"))));
    EXPECT_THAT(log, ElementsAre(HasSubstr("attempts=2")));
    expect_nothing_left();
}

TEST_F(streamed_request, cut_off_after_the_commit_ends_with_an_error_in_the_stream) {
    auto c = begun();
    up_a.talks.close();
    await(c, "\"error\"");
    turns().turn();
    EXPECT_THAT(c.read(),
                AllOf(HasSubstr("upstream_stream_truncated"), Not(HasSubstr("[DONE]")), EndsWith("0\r\n\r\n")));
    EXPECT_FALSE(up_b.has_request());
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=200 code=upstream_stream_truncated")));
    expect_nothing_left();
}

TEST_F(streamed_request, that_falls_silent_is_ended_by_its_idle_deadline) {
    auto c = begun();
    turns().pass(599s);
    up_a.delta("spoken"); // a comment says "keepalive"
    await(c, "spoken");
    turns().pass(600s - 1ns);
    EXPECT_THAT(log, IsEmpty());
    turns().pass(1ns);
    EXPECT_THAT(c.read(), AllOf(HasSubstr("\"error\""), Not(HasSubstr("[DONE]"))));
    EXPECT_TRUE(up_a.talks.ended());
    EXPECT_THAT(log, ElementsAre(HasSubstr("code=timeout")));
    expect_nothing_left();
}

TEST_F(streamed_request, is_ended_by_its_total_deadline_whatever_it_says) {
    settings.router.of(config::operation::chat).stream.total = 700s;
    auto c = begun();
    turns().pass(500s);
    up_a.delta("alive");
    turns().turn();
    turns().pass(200s);
    EXPECT_THAT(c.read(), AllOf(HasSubstr("alive"), HasSubstr("\"error\""), Not(HasSubstr("[DONE]"))));
    EXPECT_TRUE(up_a.talks.ended());
    expect_nothing_left();
}

TEST_F(streamed_request, waits_five_seconds_for_what_follows_the_last_choice) {
    auto c = begun();
    up_a.finish();
    turns().turn();
    EXPECT_THAT(log, IsEmpty());
    turns().pass(5s - 1ns);
    EXPECT_THAT(log, IsEmpty());
    turns().pass(1ns);
    EXPECT_THAT(c.read(), EndsWith("data: [DONE]\n\n\r\n0\r\n\r\n"));
    EXPECT_THAT(log, ElementsAre(EndsWith(" anomaly=missing_done")));
    expect_nothing_left();
}

TEST_F(streamed_request, of_a_client_that_leaves_ends_its_attempt) {
    auto c = begun();
    c.close();
    turns().until([&] { return up_a.talks.ended(); });
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
    expect_nothing_left();
}

TEST_F(streamed_request, of_a_slow_client_pauses_the_upstream_and_resumes_it) {
    auto c = begun(4096);
    const auto taken = flood();
    EXPECT_LT(taken, std::size_t{32} << 20U) << "the upstream feels the slow client";
    EXPECT_FALSE(timers().armed(net::timer_kind::idle)) << "the upstream's silence is our doing";
    EXPECT_TRUE(timers().armed(net::timer_kind::client_write));
    turns().pass(119s);

    turns().until([&] {
        if (!rest.empty()) rest.erase(0, up_a.talks.send(rest));
        return c.read().size() > taken / 2 && rest.empty();
    });
    turns().until([&] {
        c.read();
        return timers().armed(net::timer_kind::idle);
    });
    up_a.delta("last");
    up_a.finish();
    up_a.done();
    await(c, "[DONE]");
    const std::string text(8'000, 't');
    std::size_t relayed = 0;
    for (std::size_t at = 0; (at = c.read().find(text, at)) != std::string::npos; at += text.size()) ++relayed;
    EXPECT_EQ(relayed, events);
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=200")));
    expect_nothing_left();
}

TEST_F(streamed_request, of_a_client_that_takes_nothing_ends_at_its_stall) {
    auto c = begun(4096);
    flood();
    turns().pass(120s - 1ns);
    EXPECT_THAT(log, IsEmpty());
    turns().pass(1ns);
    EXPECT_TRUE(up_a.talks.ended());
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
    expect_nothing_left();
}

TEST_F(streamed_request, of_a_slow_client_that_leaves_while_the_upstream_is_paused_ends) {
    auto c = begun(4096);
    flood();
    c.reset();
    turns().until([&] { return !log.empty(); });
    EXPECT_TRUE(up_a.talks.ended());
    expect_nothing_left();
}

TEST_F(streamed_request, to_http_10_ends_with_the_connection) {
    auto c = client();
    auto text = stream();
    text.replace(text.find("HTTP/1.1"), 8, "HTTP/1.0");
    c.send(text);
    await_request(up_a);
    up_a.begin_stream();
    up_a.delta("first");
    up_a.finish();
    up_a.done();
    turns().until([&] { return c.ended(); });
    EXPECT_THAT(c.read(), AllOf(HasSubstr("connection: close\r\n"), Not(HasSubstr("chunked")), EndsWith("[DONE]\n\n")));
}

TEST_F(streamed_request, answered_by_one_json_value_is_converted) {
    auto c = client();
    c.send(stream());
    await_request(up_a);
    up_a.answer(200, good_answer);
    await(c, "[DONE]");
    EXPECT_THAT(c.read(), AllOf(HasSubstr("text/event-stream"), HasSubstr("hello")));
    EXPECT_THAT(log, ElementsAre(HasSubstr("anomaly=non_stream_answer")));
    expect_nothing_left();
}

} // namespace
} // namespace turnout::gateway
