#include <chrono>
#include <string>

#include "net/serving.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class server_answer : public serving {};

TEST_F(server_answer, has_its_fields_its_length_and_its_body) {
    auto c = client();
    open(c, get("/a"))->respond(404, "x-id: 7\r\n", "nothing");
    EXPECT_EQ(c.read(), "HTTP/1.1 404 Not Found\r\n" + date() + "x-id: 7\r\ncontent-length: 7\r\n\r\nnothing");
}

TEST_F(server_answer, to_head_has_a_length_and_no_body) {
    auto c = client();
    open(c, "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n")->respond(200, "", "nothing");
    EXPECT_EQ(c.take(), "HTTP/1.1 200 OK\r\n" + date() + "content-length: 7\r\n\r\n");
    open(c, get("/a"))->respond(200, "", "body");
    EXPECT_THAT(c.read(), testing::EndsWith("\r\n\r\nbody"));
}

TEST_F(server_answer, to_head_is_streamed_without_a_byte_of_body) {
    auto c = client();
    auto x = open(c, "HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n");
    x->start_stream(200, "");
    x->write("frame");
    x->write("frame");
    x->end();
    EXPECT_EQ(c.read(), "HTTP/1.1 200 OK\r\n" + date() + "transfer-encoding: chunked\r\n\r\n");
}

TEST_F(server_answer, closes_when_the_client_asks_for_it) {
    auto c = client();
    open(c, get("/a", "Connection: close\r\n"))->respond(200, "", "x");
    EXPECT_THAT(c.read(), HasSubstr("connection: close\r\n"));
    EXPECT_TRUE(c.ended());
}

TEST_F(server_answer, to_http_10_closes) {
    auto c = client();
    open(c, "GET /a HTTP/1.0\r\n\r\n")->respond(200, "", "x");
    EXPECT_THAT(c.read(), HasSubstr("connection: close\r\n"));
    EXPECT_TRUE(c.ended());
}

TEST_F(server_answer, to_http_10_says_that_the_connection_is_kept) {
    auto c = client();
    open(c, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->respond(200, "", "x");
    EXPECT_THAT(c.take(), HasSubstr("connection: keep-alive\r\n"));
    open(c, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->respond(200, "", "y");
    EXPECT_THAT(c.read(), testing::EndsWith("y"));
    EXPECT_FALSE(c.ended());
}

TEST_F(server_answer, is_streamed_in_chunks_with_its_head_in_the_first_write) {
    auto c = client();
    auto x = open(c, get("/a"));
    x->start_stream(200, "content-type: text/plain\r\n");
    EXPECT_EQ(c.read(), "");
    x->write("");
    EXPECT_EQ(c.read(), "");
    x->write("0123456789abcdef");
    EXPECT_EQ(c.take(), "HTTP/1.1 200 OK\r\n" + date()
                            + "content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n"
                              "10\r\n0123456789abcdef\r\n");
    x->write("x");
    EXPECT_EQ(c.take(), "1\r\nx\r\n");
    x->end();
    EXPECT_EQ(c.take(), "0\r\n\r\n");
    open(c, get("/a"))->respond(200, "", "the connection goes on");
    EXPECT_THAT(c.read(), HasSubstr("content-length: 22\r\n"));
}

TEST_F(server_answer, without_a_body_is_streamed_too) {
    auto c = client();
    auto x = open(c, get("/a"));
    x->start_stream(200, "");
    x->end();
    EXPECT_EQ(c.read(), "HTTP/1.1 200 OK\r\n" + date() + "transfer-encoding: chunked\r\n\r\n0\r\n\r\n");
}

TEST_F(server_answer, to_http_10_is_streamed_until_the_connection_closes) {
    auto c = client();
    auto x = open(c, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    x->start_stream(200, "");
    x->write("one");
    x->write("two");
    x->end();
    EXPECT_EQ(c.read(), "HTTP/1.1 200 OK\r\n" + date() + "connection: close\r\n\r\nonetwo");
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
}

TEST_F(server_answer, is_given_once) {
    auto c = client();
    auto x = open(c, get("/a"));
    x->respond(200, "", "first");
    x->respond(200, "", "second");
    x->start_stream(200, "");
    x->write("third");
    x->end();
    x->abort();
    turns.turn();
    EXPECT_THAT(c.read(), testing::EndsWith("\r\n\r\nfirst"));
    EXPECT_FALSE(c.ended());
}

TEST_F(server_answer, that_is_aborted_is_reset) {
    auto c = client();
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    x->start_stream(200, "");
    x->write("half");
    x->abort();
    turns.turn();
    EXPECT_TRUE(c.ended());
    EXPECT_TRUE(c.was_reset());
    EXPECT_THAT(o.heard, IsEmpty());
}

TEST_F(server_answer, keeps_what_a_slow_client_does_not_take_and_says_when_it_has_left) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    x->start_stream(200, "");
    flood(*x);
    turns.turn();
    EXPECT_THAT(o.heard, IsEmpty());
    turns.until([&] {
        c.read();
        return x->backlog() == 0;
    });
    EXPECT_THAT(o.heard, ElementsAre("drained"));
    x->end();
    turns.until([&] { return c.read().ends_with("0\r\n\r\n"); });
    EXPECT_THAT(o.heard, ElementsAre("drained"));
}

TEST_F(server_answer, that_nobody_takes_stalls_at_its_deadline) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    x->start_stream(200, "");
    flood(*x);
    turns.pass(120s - 1ns);
    EXPECT_THAT(o.heard, IsEmpty());
    turns.pass(1ns);
    EXPECT_THAT(o.heard, ElementsAre("stalled"));
    x->write("more");
    x->end();
    EXPECT_EQ(x->backlog(), 0U);
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(server_answer, that_is_taken_slowly_does_not_stall) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    x->start_stream(200, "");
    flood(*x);
    x->write(std::string(4'000'000, 'z'));
    for (int i = 0; i < 4; ++i) {
        turns.pass(119s);
        const auto before = x->backlog();
        ASSERT_GT(before, 0U);
        turns.until([&] {
            c.read(50'000);
            return x->backlog() < before;
        });
    }
    EXPECT_THAT(o.heard, testing::Not(testing::Contains("stalled")));
}

// The deadline between two requests begins when the answer has left, not when it was given.
TEST_F(server_answer, is_not_cut_off_by_the_keep_alive_deadline) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    const std::string body(8'000'000, 'z');
    x->respond(200, "", body);
    ASSERT_GT(x->backlog(), 0U);
    turns.pass(76s);
    read_all(c, body.size());
    EXPECT_FALSE(c.ended());
    turns.turn();
    turns.pass(75s);
    EXPECT_TRUE(c.ended());
}

TEST_F(server_answer, to_a_refused_request_is_not_cut_off_by_the_deadline_of_its_head) {
    auto c = client(4096);
    auto x = open(c, get("/a", "Connection: close\r\n"));
    const std::string body(8'000'000, 'z');
    x->respond(200, "", body);
    turns.pass(31s);
    turns.until([&] { return c.ended(); });
    EXPECT_GT(c.read().size(), body.size());
    EXPECT_FALSE(c.was_reset());
}

TEST_F(server_answer, on_its_way_reaches_a_client_that_has_closed_its_own_direction) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    const std::string body(8'000'000, 'z');
    x->respond(200, "", body);
    ASSERT_GT(x->backlog(), 0U);
    c.half_close();
    turns.turn();
    turns.until([&] { return c.ended(); });
    EXPECT_GT(c.read().size(), body.size());
    EXPECT_FALSE(c.was_reset());
}

// Not to be told apart from one that left, and an upstream that works for nobody costs money.
TEST_F(server_answer, is_not_waited_for_by_a_client_that_half_closed) {
    auto c = client();
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    c.half_close();
    turns.turn();
    EXPECT_THAT(o.heard, ElementsAre("gone"));
}

TEST_F(server_answer, that_cannot_be_written_is_told_on_a_later_turn) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    x->start_stream(200, "");
    c.reset();
    for (int i = 0; i < 3; ++i) x->write("frame");
    EXPECT_THAT(o.heard, IsEmpty());
    turns.turn();
    EXPECT_THAT(o.heard, ElementsAre("gone"));
}

TEST_F(server_answer, that_could_not_be_written_tells_nobody_once_it_is_given) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    noting_observer o;
    x->observe(&o);
    c.reset();
    x->respond(200, "", "nobody takes this");
    turns.turn();
    EXPECT_THAT(o.heard, IsEmpty());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(server_answer, to_a_client_that_left_changes_nothing) {
    auto c = client();
    auto x = open(c, get("/a"));
    c.close();
    turns.turn();
    x->start_stream(200, "");
    x->write("frame");
    x->end();
    x->abort();
    turns.turn();
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(server_answer, gives_up_its_body_first) {
    auto c = client();
    auto x = open(c, post("/a", "hello"));
    std::string body;
    body.swap(x->body());
    EXPECT_EQ(body, "hello");
    x->respond(200, "", body);
    EXPECT_THAT(c.read(), testing::EndsWith("hello"));
}

} // namespace
} // namespace turnout::net
