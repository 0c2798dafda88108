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
using testing::SizeIs;
using testing::StartsWith;

class logical_requests : public running {};

TEST_F(logical_requests, is_sent_edited_and_its_answer_relayed) {
    auto c = client();
    c.send(chat("", "x-request-id: my-id\r\n"));
    await_request(up_a);
    const auto sent = up_a.talks.take();
    EXPECT_THAT(sent, StartsWith("POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:"));
    EXPECT_THAT(sent, AllOf(HasSubstr("authorization: Bearer key-a\r\n"), HasSubstr("x-request-id: my-id\r\n"),
                            HasSubstr("accept: application/json\r\n"), HasSubstr("content-length: 58\r\n")));
    EXPECT_THAT(sent, EndsWith("\r\n\r\n"
                               R"({"model":"up","messages":[{"role":"user","content":"hi"}]})"
                               ""));
    EXPECT_EQ(in_flight(), 1U);
    up_a.answer(200, good_answer);
    await(c, "hello");
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 200 OK\r\ndate: "),
                                HasSubstr("GMT\r\ncontent-type: application/json\r\nx-request-id: my-id\r\n")));
    EXPECT_THAT(c.read(), HasSubstr(R"("model":"gpt")"));
    EXPECT_THAT(log, ElementsAre(R"(request="my-id" model="gpt" stream=false status=200 ms=0 served="a" attempts=1)"
                                 R"( attempt="a ok 0ms")"));
    expect_nothing_left();
}

TEST_F(logical_requests, moves_on_to_another_deployment_with_its_body_whole) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    turns().pass(25ms);
    up_a.answer(500, R"({"error":{"message":"boom"}})");
    await_request(up_b);
    EXPECT_THAT(up_b.talks.read(), HasSubstr(R"({"model":"up","messages":[{"role":"user","content":"hi"}]})"));
    up_b.answer(200, good_answer);
    await(c, "hello");
    EXPECT_THAT(log, ElementsAre(HasSubstr(R"(attempts=2 attempt="a transient 500 25ms" attempt="b ok 0ms")")));
    expect_nothing_left();
}

TEST_F(logical_requests, to_a_port_where_nobody_listens_moves_on) {
    up_a.port.close();
    auto c = client();
    c.send(chat());
    await_request(up_b);
    up_b.answer(200, good_answer);
    await(c, "hello");
    expect_nothing_left();
}

TEST_F(logical_requests, whose_attempts_all_fail_is_answered_by_the_last) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    up_a.talks.close();
    await_request(up_b);
    up_b.answer(429, R"({"error":{"message":"slow down, key-b","code":"rate"}})", "Retry-After: 7\r\n");
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 429 "), HasSubstr("retry-after: 7\r\n"),
                                HasSubstr("slow down, [redacted]"), Not(HasSubstr("key-b"))));
    EXPECT_FALSE(c.ended());
    expect_nothing_left();
}

TEST_F(logical_requests, whose_error_answer_is_cut_short_goes_by_its_status) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    up_a.talks.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 500\r\n\r\n{\"error\":{\"mess");
    up_a.talks.close();
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 400 "));
    EXPECT_FALSE(up_b.has_request());
    expect_nothing_left();
}

// An error that never ends must not hold the request: what came of it says enough.
TEST_F(logical_requests, reads_at_most_a_mebibyte_of_an_error) {
    auto c = client();
    c.send(stream());
    await_request(up_a);
    up_a.talks.send("HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
    for (int i = 0; i < 17; ++i) {
        std::size_t sent = 0;
        turns().until([&] {
            sent += up_a.talks.send(std::string_view(chunk).substr(sent));
            return sent == chunk.size() || up_b.has_request();
        });
    }
    await_request(up_b);
    EXPECT_TRUE(up_a.talks.ended());
}

TEST_F(logical_requests, that_is_not_answered_in_time_moves_on) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    turns().pass(600s - 1ns);
    EXPECT_FALSE(up_a.talks.ended());
    turns().pass(1ns);
    EXPECT_TRUE(up_a.talks.ended());
    await_request(up_b);
    turns().pass(600s);
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 504 "));
    expect_nothing_left();
}

TEST_F(logical_requests, ends_when_its_total_is_spent) {
    settings.router.of(config::operation::chat).json.total = 700s;
    auto c = client();
    c.send(chat());
    await_request(up_a);
    turns().pass(600s);
    await_request(up_b);
    turns().pass(100s);
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 504 "), HasSubstr("x-should-retry: false\r\n")));
    EXPECT_TRUE(up_b.talks.ended());
    expect_nothing_left();
}

TEST_F(logical_requests, keeps_its_slot_however_long_it_takes) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    for (int i = 0; i < 20; ++i) {
        turns().pass(20s);
        EXPECT_EQ(in_flight(), 1U);
    }
    up_a.answer(200, good_answer);
    await(c, "hello");
    expect_nothing_left();
}

TEST_F(logical_requests, of_a_client_that_leaves_ends_its_attempt) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    c.close();
    turns().until([&] { return up_a.talks.ended(); });
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
    EXPECT_FALSE(up_b.has_request());
    expect_nothing_left();
}

TEST_F(logical_requests, of_a_client_that_leaves_while_it_connects_ends_its_attempt) {
    auto c = client();
    c.send(chat());
    while (in_flight() == 0) gateway().on().context().poll_one(); // the connect is posted, and not done
    c.close();
    turns().until([&] { return !log.empty(); });
    turns().turn();
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
    EXPECT_TRUE(!up_a.has_request() || up_a.talks.ended());
    expect_nothing_left();
}

TEST_F(logical_requests, follows_another_on_the_same_connection) {
    auto c = client();
    for (int i = 0; i < 3; ++i) {
        c.send(chat());
        await_request(up_a);
        up_a.talks.take();
        up_a.answer(200, good_answer);
        await(c, "hello");
        c.take();
    }
    EXPECT_THAT(log, SizeIs(3));
    net::raw_socket another;
    EXPECT_FALSE(up_a.port.accept(another)) << "one upstream connection serves all";
}

// The end of one request must not take the client away from the next, which is already on the same connection.
TEST_F(logical_requests, pipelined_behind_another_hears_of_its_client) {
    auto c = client();
    c.send(chat() + stream());
    await_request(up_a);
    up_a.talks.take();
    up_a.answer(200, good_answer);
    await_request(up_a);
    await(c, "hello");
    EXPECT_EQ(in_flight(), 1U);
    c.close();
    turns().until([&] { return log.size() == 2; });
    EXPECT_THAT(log[1], HasSubstr("status=499"));
    EXPECT_TRUE(up_a.talks.ended());
    expect_nothing_left();
}

TEST_F(logical_requests, without_a_pool_is_refused) {
    settings.deployments.clear();
    auto c = client();
    c.send(chat());
    await(c, "\r\n\r\n{");
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 404 "), HasSubstr("model_not_found")));
    EXPECT_THAT(log, IsEmpty());
}

TEST_F(logical_requests, shows_its_attempts_when_asked) {
    auto c = client();
    c.send(chat("", "x-unified-routing-metadata: true\r\n"));
    await_request(up_a);
    up_a.answer(200, good_answer);
    await(c, "unified_routing");
    EXPECT_THAT(c.read(), HasSubstr(R"("attempts":[{"index":0,"ok":true,"latency_ms":0,"deployment":"dep_)"));
}

/// A body that no socket buffer holds, for an upstream that does not read it.
class logical_request_that_leaves_slowly : public running {
protected:
    void begin(bool streamed) {
        c = client();
        const std::string members = R"(,"pad":")" + std::string(24'000'000, 'p') + R"(")";
        const auto request = chat((streamed ? R"(,"stream":true)" : "") + members);
        body_bytes = request.size() - request.find("\r\n\r\n") - 4;
        std::size_t sent = 0;
        turns().until([&] {
            sent += c.send(std::string_view(request).substr(sent));
            return sent == request.size();
        });
        turns().until([&] { return up_a.port.accept(up_a.talks); });
        turns().turn();
    }

    net::raw_socket c;
    std::size_t body_bytes = 0;
};

TEST_F(logical_request_that_leaves_slowly, is_served_by_an_answer_that_comes_before_it_has_left) {
    begin(false);
    up_a.answer(200, good_answer);
    await(c, "hello");
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=200")));
    up_a.talks.read();
    turns().turn();
    EXPECT_TRUE(up_a.talks.ended());
    expect_nothing_left();
}

TEST_F(logical_request_that_leaves_slowly, moves_on_with_its_body_whole) {
    begin(false);
    up_a.answer(503, "{}");
    await_request(up_b);
    const auto& sent = up_b.talks.read();
    EXPECT_EQ(sent.size() - sent.find("\r\n\r\n") - 4, body_bytes - 1) << "up is shorter than gpt by a letter";
    EXPECT_THAT(sent, EndsWith("ppp\"}"));
    up_b.answer(200, good_answer);
    await(c, "hello");
    expect_nothing_left();
}

TEST_F(logical_request_that_leaves_slowly, still_leaves_whole_after_its_stream_has_begun) {
    begin(true);
    up_a.begin_stream();
    up_a.delta("early");
    await(c, "early");
    await_request(up_a);
    EXPECT_THAT(up_a.talks.read(), AllOf(HasSubstr("ppp\""), EndsWith("}")));
    EXPECT_EQ(up_a.talks.read().find('\0'), std::string::npos);
    up_a.finish();
    up_a.done();
    await(c, "[DONE]");
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=200")));
    expect_nothing_left();
}

} // namespace
} // namespace turnout::gateway
