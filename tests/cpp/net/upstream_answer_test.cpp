#include <chrono>
#include <string>

#include "net/calling.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

class upstream_answer : public calling {};

TEST_F(upstream_answer, is_told_in_order_and_never_from_within_start) {
    const auto c = call(caller);
    EXPECT_THAT(caller.heard, IsEmpty());
    EXPECT_FALSE(c->sent());
    auto s = accept();
    EXPECT_TRUE(c->sent());
    s.send("HTTP/1.1 200 OK\r\nContent-");
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
    s.send("Length: 6\r\n\r\nabc");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body"));
    s.send("def");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
    EXPECT_EQ(caller.body, "abcdef");
}

TEST_F(upstream_answer, may_come_byte_by_byte_in_chunks) {
    const auto c = call(caller);
    auto s = accept();
    for (const char byte :
         std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")) {
        s.send({&byte, 1});
        turns.turn();
    }
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
    EXPECT_EQ(caller.body, "abcde");
}

TEST_F(upstream_answer, follows_informational_ones_that_are_not_told) {
    const auto c = call(caller);
    auto s = accept();
    s.send("HTTP/1.1 100 Continue\r\n\r\n");
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
    s.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + std::string(ok));
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_answer, without_a_body_is_complete) {
    for (const std::string text : {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
        noting_caller each;
        const auto c = call(each);
        if (!extra.open()) extra = accept();
        turns.turn();
        extra.send(text);
        turns.turn();
        EXPECT_THAT(each.heard, ElementsAre(testing::StartsWith("head 20"), "complete"));
    }
}

TEST_F(upstream_answer, ends_with_the_connection_where_that_is_its_framing) {
    const auto c = call(caller);
    auto s = accept();
    s.send("HTTP/1.1 200 OK\r\n\r\nall of it");
    turns.turn();
    EXPECT_FALSE(caller.over());
    s.close();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
    EXPECT_EQ(caller.body, "all of it");
}

TEST_F(upstream_answer, never_ends_with_a_reset) {
    const auto c = call(caller);
    auto s = accept();
    s.send("HTTP/1.1 200 OK\r\n\r\nhalf");
    turns.turn();
    s.reset();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "failure"));
    EXPECT_EQ(caller.origin, failure_origin::body_truncated);
}

TEST_F(upstream_answer, cut_short_is_a_failure_that_says_where) {
    const struct {
        std::string text;
        failure_origin origin;
    } cases[] = {
        {"", failure_origin::connection_lost},
        {"HTTP/1.1 200 OK\r\nContent-Le", failure_origin::connection_lost},
        {"HTTP/1.1 100 Continue\r\n\r\n", failure_origin::connection_lost},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcd", failure_origin::body_truncated},
        {"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 5\r\n\r\n", failure_origin::body_truncated},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", failure_origin::body_truncated},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", failure_origin::body_truncated},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.text);
        noting_caller c;
        const auto running = call(c);
        auto s = accept();
        s.send(each.text);
        s.close();
        turns.until([&] { return c.over(); });
        EXPECT_EQ(c.heard.back(), "failure");
        EXPECT_EQ(c.origin, each.origin);
        EXPECT_NE(c.detail, "");
    }
}

TEST_F(upstream_answer, that_is_not_http_is_malformed) {
    for (const std::string text :
         {"SSH-2.0-OpenSSH\r\n", "HTTP/2.0 200 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n"}) {
        SCOPED_TRACE(text);
        noting_caller c;
        const auto running = call(c);
        auto s = accept();
        s.send(text);
        turns.until([&] { return c.over(); });
        EXPECT_EQ(c.origin, failure_origin::malformed_http);
        turns.turn();
        EXPECT_TRUE(s.ended());
    }
}

/// A request that no socket buffer holds, sent to an upstream that does not read it.
class upstream_answer_to_an_unsent_request : public calling {
protected:
    upstream_answer_to_an_unsent_request() {
        const std::string_view pieces[] = {large, body};
        running = client.start(here, pieces, caller);
        turns.until([&] { return port.accept(s); });
        turns.turn();
        EXPECT_FALSE(running->sent());
    }

    const std::string body = std::string(32'000'000, 'b');
    const std::string large =
        "POST /x HTTP/1.1\r\nhost: h\r\ncontent-length: " + std::to_string(body.size()) + "\r\n\r\n";
    call_ptr running;
    raw_socket s;
};

TEST_F(upstream_answer_to_an_unsent_request, is_taken) {
    s.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 413", "body", "complete"));
    s.read();
    turns.turn();
    EXPECT_TRUE(s.ended()) << "the connection is out of step and not used again";
}

TEST_F(upstream_answer_to_an_unsent_request, is_taken_although_the_upstream_has_gone) {
    s.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
    s.close(); // with bytes unread: a reset follows, and writing fails
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 413", "body", "complete"));
}

TEST_F(upstream_answer_to_an_unsent_request, is_awaited_while_the_request_goes_on_leaving) {
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body"));
    EXPECT_FALSE(running->sent());
    turns.until([&] {
        s.read();
        return running->sent();
    });
    turns.until([&] { return s.read().size() == large.size() + body.size(); });
    s.send("0\r\n\r\n");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
    EXPECT_FALSE(s.ended());
}

TEST_F(upstream_answer_to_an_unsent_request, that_never_comes_is_a_failure) {
    s.reset();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connection_lost);
}

TEST_F(upstream_answer_to_an_unsent_request, ends_the_connection_when_drained) {
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    turns.turn();
    running->drain();
    turns.turn();
    s.read();
    EXPECT_TRUE(s.ended());
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body"));
}

TEST_F(upstream_answer, is_not_read_while_paused) {
    const auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word == "body") c->pause();
    };
    s.send("HTTP/1.1 200 OK\r\nContent-Length: 40000000\r\n\r\n");
    const std::string piece(200'000, 'p');
    std::size_t sent = 0;
    for (int quiet = 0; quiet < 10;) {
        const auto n = s.send(std::string_view(piece).substr(0, std::min(piece.size(), 40'000'000 - sent)));
        quiet = n == 0 ? quiet + 1 : 0;
        sent += n;
        turns.turn();
    }
    EXPECT_LT(sent, 40'000'000U) << "the upstream feels it";
    EXPECT_LE(caller.body.size(), loop::scratch_bytes) << "one read at most after the pause";

    caller.then = nullptr;
    c->resume();
    c->resume();
    turns.until([&] {
        if (sent < 40'000'000)
            sent += s.send(std::string_view(piece).substr(0, std::min(piece.size(), 40'000'000 - sent)));
        return caller.over();
    });
    EXPECT_EQ(caller.body.size(), 40'000'000U);
    EXPECT_EQ(caller.heard.back(), "complete");
}

TEST_F(upstream_answer, is_read_on_after_a_pause_that_ends_within_the_same_turn) {
    const auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word != "body") return;
        c->pause();
        c->resume();
    };
    s.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
    turns.turn();
    s.send("def");
    turns.turn();
    EXPECT_EQ(caller.body, "abcdef");
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

} // namespace
} // namespace turnout::net
