#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "net/calling.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

class upstream_reuse : public calling {};

TEST_F(upstream_reuse, sends_the_next_request_on_the_same_connection) {
    auto s = keep();
    for (int i = 0; i < 3; ++i) {
        noting_caller next;
        const auto c = call(next);
        EXPECT_TRUE(c->sent());
        EXPECT_THAT(next.heard, IsEmpty());
        EXPECT_EQ(s.take(), request);
        s.send(ok);
        turns.turn();
        EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
    }
    EXPECT_FALSE(connects());
}

TEST_F(upstream_reuse, is_possible_from_within_the_end_of_a_call) {
    const auto first = call(caller);
    noting_caller next;
    call_ptr second;
    caller.then = [&](const std::string& word) {
        if (word == "complete") second = call(next);
    };
    auto s = accept();
    s.send(ok);
    turns.turn();
    EXPECT_EQ(s.take(), request);
    EXPECT_THAT(next.heard, IsEmpty());
    s.send(ok);
    turns.turn();
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_reuse, takes_the_connection_that_was_used_last) {
    noting_caller other;
    const auto c = call(caller);
    auto a = accept();
    const auto d = call(other);
    auto b = accept();
    b.send(ok);
    turns.turn();
    a.send(ok);
    turns.turn();
    noting_caller next;
    const auto e = call(next);
    EXPECT_EQ(a.take(), request);
    EXPECT_EQ(b.take(), "");
}

TEST_F(upstream_reuse, keeps_endpoints_apart) {
    auto s = keep();
    raw_listener elsewhere;
    const endpoint there{"127.0.0.1", elsewhere.port(), false};
    const auto c = call(there, caller);
    raw_socket t;
    turns.until([&] { return elsewhere.accept(t); });
    EXPECT_EQ(s.take(), "");
    c->cancel();
}

TEST_F(upstream_reuse, is_not_tried_where_the_answer_says_close) {
    for (const std::string text : {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                                   "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
        noting_caller each;
        const auto c = call(each);
        auto s = accept();
        s.send(text);
        turns.turn();
        EXPECT_TRUE(each.over());
        EXPECT_TRUE(s.ended());
    }
}

TEST_F(upstream_reuse, is_not_tried_where_bytes_follow_the_answer) {
    const auto c = call(caller);
    auto s = accept();
    s.send(std::string(ok) + "HTTP/1.1 200 OK\r\n");
    turns.turn();
    EXPECT_EQ(caller.heard.back(), "complete");
    EXPECT_TRUE(s.ended());
}

TEST_F(upstream_reuse, ends_with_unasked_bytes_on_an_idle_connection) {
    auto s = keep();
    s.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
    turns.turn();
    EXPECT_TRUE(s.ended());
    const auto c = call(caller);
    auto t = accept();
    t.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_reuse, ends_when_the_upstream_closes) {
    keep().close();
    turns.turn();
    EXPECT_TRUE(on.timers().empty());
    const auto c = call(caller);
    auto s = accept();
}

TEST_F(upstream_reuse, ends_after_30_seconds_without_use) {
    auto s = keep();
    turns.pass(30s - 1ns);
    EXPECT_FALSE(s.ended());
    turns.pass(1ns);
    EXPECT_TRUE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(upstream_reuse, has_no_deadline_while_in_use) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1h);
    EXPECT_FALSE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(upstream_reuse, ends_when_idle_connections_are_closed) {
    auto s = keep();
    client.close_idle();
    EXPECT_TRUE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(upstream_reuse, of_a_closed_connection_is_repaired_once_by_a_fresh_one) {
    auto s = keep();
    const auto c = call(caller);
    EXPECT_TRUE(c->sent());
    s.close();
    auto fresh = accept();
    EXPECT_THAT(caller.heard, IsEmpty());
    EXPECT_TRUE(c->sent());
    fresh.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

// Before the loop has seen what became of it.
TEST_F(upstream_reuse, is_not_tried_on_a_connection_that_has_just_closed) {
    auto s = keep();
    s.close();
    noting_caller next;
    const auto c = call(next);
    EXPECT_FALSE(c->sent());
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_reuse, is_not_tried_on_a_connection_that_was_spoken_on_just_now) {
    auto s = keep();
    s.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned");
    const auto c = call(caller);
    EXPECT_TRUE(s.ended());
    EXPECT_EQ(s.take(), "");
    accept().send(ok);
    turns.turn();
    EXPECT_EQ(caller.body, "ok");
}

TEST_F(upstream_reuse, passes_over_every_connection_that_is_dead) {
    noting_caller other;
    const auto c = call(caller);
    auto a = accept();
    const auto d = call(other);
    auto b = accept();
    a.send(ok);
    turns.turn();
    b.send(ok);
    turns.turn();
    b.close();
    noting_caller next;
    const auto e = call(next);
    EXPECT_EQ(a.take(), request);
    a.send(ok);
    turns.turn();
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_reuse, keeps_256_connections_and_gives_up_the_one_that_waits_longest) {
    RecordProperty("rules", "UP-CONN-007");
    constexpr std::size_t most = 256;
    std::vector<noting_caller> callers(most + 1);
    std::vector<call_ptr> calls;
    std::vector<raw_socket> peers;
    for (auto& each : callers) {
        calls.push_back(call(each));
        peers.push_back(accept());
    }
    for (std::size_t i = 0; i < most; ++i) {
        peers[i].send(ok);
        turns.turn();
    }
    EXPECT_FALSE(peers[0].ended());
    peers[most].send(ok);
    turns.turn();
    EXPECT_TRUE(peers[0].ended());
    EXPECT_FALSE(peers[1].ended());
    EXPECT_FALSE(peers[most].ended());
}

TEST_F(upstream_reuse, is_repaired_no_more_than_once) {
    auto first = keep();
    const auto c = call(caller);
    first.close();
    accept().close();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connection_lost);
    EXPECT_FALSE(connects());
}

TEST_F(upstream_reuse, of_several_closed_connections_is_repaired_by_a_fresh_one_at_once) {
    noting_caller other;
    const auto c = call(caller);
    auto a = accept();
    const auto d = call(other);
    auto b = accept();
    a.send(ok);
    b.send(ok);
    turns.turn();
    noting_caller next;
    const auto e = call(next);
    a.close();
    b.close();
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_reuse, is_repaired_up_to_a_second_after_the_request_left) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1s - 1ns);
    s.reset();
    auto fresh = accept();
    c->cancel();
}

TEST_F(upstream_reuse, is_not_repaired_later) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1s);
    s.reset();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connection_lost);
    EXPECT_FALSE(connects());
}

TEST_F(upstream_reuse, is_not_repaired_once_a_byte_of_the_answer_came) {
    auto s = keep();
    const auto c = call(caller);
    s.send("H");
    turns.turn();
    s.close();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_FALSE(connects());
}

TEST_F(upstream_reuse, is_not_repaired_for_a_call_that_was_cancelled) {
    auto s = keep();
    const auto c = call(caller);
    s.close();
    c->cancel();
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(upstream_reuse, follows_a_drained_answer) {
    const auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word == "body") c->drain();
    };
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nend\r\n");
    turns.turn();
    EXPECT_TRUE(on.timers().armed(timer_kind::drain));
    s.send("4\r\nrest\r\n0\r\n\r\n");
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body"));
    EXPECT_EQ(caller.body, "end");
    EXPECT_FALSE(s.ended());
    noting_caller next;
    const auto d = call(next);
    EXPECT_EQ(s.take(), request);
}

TEST_F(upstream_reuse, follows_an_answer_whose_last_bytes_are_in_the_read_that_drains_it) {
    const auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word == "body") c->drain();
    };
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nend\r\n0\r\n\r\n");
    turns.turn();
    EXPECT_TRUE(on.timers().armed(timer_kind::pool_idle));
    EXPECT_FALSE(s.ended());
}

TEST_F(upstream_reuse, does_not_follow_a_drained_answer_that_goes_on_for_a_second) {
    const auto c = call(caller);
    auto s = accept();
    s.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nend\r\n");
    turns.turn();
    c->drain();
    turns.pass(1s - 1ns);
    EXPECT_FALSE(s.ended());
    turns.pass(1ns);
    EXPECT_TRUE(s.ended());
}

TEST_F(upstream_reuse, does_not_follow_a_drained_answer_of_more_than_256_kib) {
    const auto c = call(caller);
    auto s = accept();
    s.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n");
    turns.turn();
    c->drain();
    const std::string piece(50'000, 'd');
    for (int i = 0; i < 5; ++i) {
        s.send(piece);
        turns.turn();
    }
    EXPECT_FALSE(s.ended());
    s.send(piece);
    turns.turn();
    EXPECT_TRUE(s.ended());
}

} // namespace
} // namespace turnout::net
