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
using testing::SizeIs;
using testing::StartsWith;

class server_request : public serving {};

TEST_F(server_request, is_read_whole_in_pieces_of_any_size) {
    auto c = client();
    for (const char byte : post("/now", "0123456789")) {
        c.send({&byte, 1});
        turns.turn();
    }
    EXPECT_THAT(handler.seen, ElementsAre("POST /now 0123456789"));
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(server_request, with_chunks_is_read_to_its_last_chunk) {
    auto c = client();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    turns.turn();
    EXPECT_THAT(handler.seen, IsEmpty());
    c.send("2\r\nde\r\n0\r\n\r\n");
    turns.turn();
    EXPECT_THAT(handler.seen, ElementsAre("POST /now abcde"));
}

TEST_F(server_request, follows_another_on_the_same_connection) {
    auto c = client();
    for (int i = 0; i < 3; ++i) {
        c.send(get("/now"));
        turns.turn();
        EXPECT_THAT(c.take(), HasSubstr("\r\n\r\n/now"));
    }
    EXPECT_FALSE(c.ended());
}

TEST_F(server_request, waits_for_the_answer_to_the_one_before) {
    auto c = client();
    c.send(get("/a") + get("/b") + get("/now"));
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(1));
    handler.next()->respond(200, "", "first");
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(2));
    EXPECT_THAT(c.take(), HasSubstr("\r\n\r\nfirst"));
    handler.next()->respond(200, "", "second");
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(3));
    EXPECT_THAT(c.take(), testing::AllOf(HasSubstr("second"), HasSubstr("/now")));
}

// The answer to one request must not begin the next one while its own handler is still at work.
TEST_F(server_request, is_not_begun_from_within_the_answer_to_the_one_before) {
    auto c = client();
    auto first = open(c, get("/a") + get("/b"));
    first->respond(200, "", "first");
    EXPECT_THAT(handler.seen, SizeIs(1));
    noting_observer late;
    first->observe(nullptr); // what a handler does last
    turns.turn();
    ASSERT_THAT(handler.held, SizeIs(1));
    handler.held[0]->observe(&late);
    c.close();
    turns.turn();
    EXPECT_THAT(late.heard, ElementsAre("gone"));
}

TEST_F(server_request, may_come_in_great_numbers_at_once) {
    auto c = client();
    std::string all;
    for (int i = 0; i < 500; ++i) all += get("/now");
    EXPECT_EQ(c.send(all), all.size());
    turns.until([&] { return handler.seen.size() == 500; });
    EXPECT_FALSE(c.ended());
}

// A client that sends and never reads must not fill the memory with answers.
TEST_F(server_request, is_not_read_while_answers_before_it_wait) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    x->respond(200, "", std::string(8'000'000, 'z'));
    ASSERT_GT(x->backlog(), 0U);
    c.send(get("/now") + get("/now"));
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(1));
    turns.until([&] {
        c.read();
        return handler.seen.size() == 3;
    });
    turns.until([&] { return c.take().ends_with("/now"); });
}

TEST_F(server_request, that_is_large_is_taken_up_to_the_limit) {
    auto c = client();
    const auto request = post("/now", std::string(1'000'000, 'x'));
    std::size_t sent = 0;
    turns.until([&] {
        if (sent < request.size()) sent += c.send(std::string_view(request).substr(sent));
        return c.has("200 OK");
    });
    EXPECT_THAT(handler.seen, SizeIs(1));
}

TEST_F(server_request, announced_too_large_is_refused_at_once_and_the_connection_closed) {
    auto c = client();
    c.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000001\r\n\r\nxxx");
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 413 "));
    EXPECT_THAT(c.read(), HasSubstr("connection: close\r\n"));
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
    EXPECT_THAT(handler.seen, IsEmpty());
}

TEST_F(server_request, growing_too_large_is_refused) {
    auto c = client();
    c.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "186a0\r\n" + std::string(100'000, 'x') + "\r\n";
    for (int i = 0; i < 11; ++i) {
        std::size_t sent = 0;
        turns.until([&] {
            sent += c.send(std::string_view(chunk).substr(sent));
            return sent == chunk.size();
        });
    }
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 413 "));
    EXPECT_FALSE(c.was_reset());
    EXPECT_THAT(handler.seen, IsEmpty());
}

TEST_F(server_request, refused_with_a_small_body_leaves_the_connection_usable) {
    auto c = client();
    c.send("POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n01234");
    turns.turn();
    EXPECT_EQ(c.take(), "HTTP/1.1 403 Forbidden\r\n" + date() + "x-why: refused\r\ncontent-length: 2\r\n\r\nno");
    c.send("56789" + get("/now"));
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(handler.seen, ElementsAre("GET /now "));
    EXPECT_FALSE(c.ended());
}

TEST_F(server_request, refused_with_a_small_body_that_does_not_come_is_given_up_after_30_seconds) {
    auto c = client();
    c.send("POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n");
    turns.turn();
    turns.pass(30s - 1ns);
    EXPECT_FALSE(c.ended());
    turns.pass(1ns);
    EXPECT_TRUE(c.ended());
}

TEST_F(server_request, refused_with_a_large_body_closes_without_reset_while_the_client_still_sends) {
    auto c = client();
    c.send("POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 403 "));
    EXPECT_TRUE(c.ended());
    const std::string piece(100'000, 'x');
    for (int i = 0; i < 5; ++i) {
        EXPECT_GT(c.send(piece), 0U);
        turns.turn();
    }
    EXPECT_FALSE(c.was_reset());
    turns.pass(2s - 1ns);
    EXPECT_GT(c.send("x"), 0U);
    turns.pass(1ns);
    c.send("x");
    EXPECT_EQ(c.send("x"), 0U) << "a client that goes on for 2 s is cut off";
}

TEST_F(server_request, refused_takes_64_MiB_more_before_the_client_is_cut_off) {
    auto c = client();
    c.send("POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 403 "));
    const std::string piece(std::size_t{64} * 1024, 'x');
    for (std::size_t sent = 0; sent < std::size_t{64} << 20U;) {
        sent += c.send(std::string_view(piece).substr(0, (std::size_t{64} << 20U) - sent));
        turns.turn();
    }
    EXPECT_FALSE(c.was_reset());
    EXPECT_GT(c.send("x"), 0U);
    turns.turn();
    c.send("x");
    EXPECT_EQ(c.send("x"), 0U);
}

TEST_F(server_request, with_an_expectation_is_told_100_before_its_body) {
    auto c = client();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    turns.turn();
    EXPECT_EQ(c.take(), "HTTP/1.1 100 Continue\r\n\r\n");
    c.send("abc");
    turns.turn();
    EXPECT_THAT(handler.seen, ElementsAre("POST /now abc"));
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(server_request, with_an_expectation_is_refused_instead_of_100) {
    auto c = client();
    c.send("POST /refused HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 403 "));
    EXPECT_THAT(c.read(), HasSubstr("connection: close\r\n"));
    EXPECT_TRUE(c.ended());
}

TEST_F(server_request, that_is_malformed_is_answered_and_ends_the_connection) {
    auto c = client();
    c.send("NONSENSE\r\n\r\n" + get("/now"));
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 400 "));
    EXPECT_THAT(c.read(), testing::EndsWith("malformed"));
    EXPECT_TRUE(c.ended());
    EXPECT_THAT(handler.seen, IsEmpty());
}

TEST_F(server_request, that_is_malformed_after_a_head_is_answered_with_a_body) {
    auto c = client();
    c.send("HEAD /now HTTP/1.1\r\nHost: h\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.take(), HasSubstr("content-length: 4\r\n"));
    c.send("NONSENSE\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.read(), testing::EndsWith("malformed"));
}

TEST_F(server_request, whose_head_does_not_come_is_given_up_after_30_seconds) {
    auto c = client();
    c.send("GET /now HTTP/1.1\r\n");
    turns.turn();
    turns.pass(29s);
    c.send("Host: h\r\n"); // dribbling buys no time
    turns.turn();
    turns.pass(1s - 1ns);
    EXPECT_EQ(c.read(), "");
    turns.pass(1ns);
    EXPECT_THAT(c.read(), testing::AllOf(StartsWith("HTTP/1.1 408 "), HasSubstr("connection: close\r\n")));
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
}

TEST_F(server_request, whose_body_stops_is_given_up_after_30_seconds_without_a_byte) {
    auto c = client();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12");
    turns.turn();
    turns.pass(29s);
    c.send("3");
    turns.turn();
    turns.pass(30s - 1ns);
    EXPECT_EQ(c.read(), "");
    turns.pass(1ns);
    EXPECT_THAT(c.read(), testing::AllOf(StartsWith("HTTP/1.1 408 "), HasSubstr("connection: close\r\n")));
    EXPECT_TRUE(c.ended());
    EXPECT_THAT(handler.seen, IsEmpty());
}

TEST_F(server_request, whose_first_byte_does_not_come_is_given_up_without_a_word) {
    auto c = client();
    turns.turn();
    turns.pass(29s);
    c.send("\r\n"); // no request has begun yet
    turns.turn();
    turns.pass(1s - 1ns);
    EXPECT_FALSE(c.ended());
    turns.pass(1ns);
    EXPECT_TRUE(c.ended());
    EXPECT_EQ(c.read(), "");
}

TEST_F(server_request, after_blank_lines_keeps_the_deadline_between_two_requests) {
    auto c = client();
    c.send(get("/now"));
    turns.turn();
    c.take();
    turns.pass(74s);
    c.send("\r\n\r\n");
    turns.turn();
    turns.pass(1s);
    EXPECT_TRUE(c.ended());
    EXPECT_EQ(c.read(), "");
}

TEST_F(server_request, may_begin_75_seconds_after_the_last_answer) {
    auto c = client();
    c.send(get("/now"));
    turns.turn();
    turns.pass(75s - 1ns);
    EXPECT_FALSE(c.ended());
    c.send(get("/now"));
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(2));
    turns.pass(75s);
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
}

TEST_F(server_request, has_no_deadline_while_it_is_handled) {
    auto c = client();
    auto x = open(c, post("/a", "body"));
    turns.pass(1h);
    EXPECT_FALSE(c.ended());
    x->respond(200, "", "late");
    turns.turn();
    EXPECT_THAT(c.read(), HasSubstr("late"));
}

TEST_F(server_request, of_a_client_that_leaves_is_told_at_once) {
    for (const bool reset : {false, true}) {
        auto c = client();
        auto x = open(c, get("/a"));
        noting_observer o;
        x->observe(&o);
        if (reset)
            c.reset();
        else
            c.close();
        turns.turn();
        EXPECT_THAT(o.heard, ElementsAre("gone"));
        x->respond(200, "", "nobody hears this");
        turns.turn();
        EXPECT_THAT(o.heard, ElementsAre("gone"));
    }
}

TEST_F(server_request, is_forgotten_when_the_client_leaves_inside) {
    auto c = client();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12");
    turns.turn();
    c.close();
    turns.turn();
    EXPECT_THAT(handler.seen, IsEmpty());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(server_request, sent_early_is_held_up_to_a_limit_and_served_in_turn) {
    auto c = client();
    auto x = open(c, get("/a"));
    std::string early;
    while (early.size() < 300'000) early += post("/now", std::string(1'000, 'e'));
    std::size_t sent = 0;
    const auto send_more = [&] { sent += c.send(std::string_view(early).substr(sent)); };
    send_more();
    turns.turn();
    EXPECT_THAT(handler.seen, SizeIs(1));
    x->respond(200, "", "first");
    turns.until([&] {
        if (sent < early.size()) send_more();
        c.read();
        return handler.seen.size() == 1 + early.size() / post("/now", std::string(1'000, 'e')).size();
    });
}

// With more pipelined than is held, nothing would read on: the connection must close all the same.
TEST_F(server_request, sent_early_does_not_keep_a_connection_that_is_to_close) {
    auto c = client();
    auto x = open(c, get("/a", "Connection: close\r\n"));
    std::size_t sent = 0;
    const std::string early(400'000, 'e');
    for (int i = 0; i < 10; ++i) {
        sent += c.send(std::string_view(early).substr(sent));
        turns.turn();
    }
    int drained = 0;
    port.drain([&] { ++drained; });
    x->respond(200, "", "last");
    x = nullptr;
    turns.turn();
    EXPECT_THAT(c.read(), testing::EndsWith("last"));
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
    EXPECT_EQ(drained, 0);
    turns.pass(2s);
    EXPECT_EQ(drained, 1);
}

} // namespace
} // namespace turnout::net
