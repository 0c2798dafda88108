#include <chrono>
#include <memory>
#include <string>

#include "net/calling.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

class upstream_calls : public calling {};

TEST_F(upstream_calls, to_a_port_where_nobody_listens_fails) {
    port.close();
    const auto c = call(caller);
    EXPECT_THAT(caller.heard, IsEmpty());
    turns.until([&] { return caller.over(); });
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
    EXPECT_THAT(caller.detail, testing::StartsWith("the connection failed: "));
}

// Where localhost has an IPv6 address too, the upstream does not listen there.
TEST_F(upstream_calls, tries_the_addresses_of_a_name_in_turn) {
    const endpoint named{"localhost", port.port(), false};
    const auto c = call(named, caller);
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_calls, fails_once_when_no_address_of_a_name_answers) {
    port.close();
    const endpoint named{"localhost", port.port(), false};
    const auto c = call(named, caller);
    turns.until([&] { return caller.over(); });
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
}

TEST_F(upstream_calls, to_a_name_that_is_not_resolved_fails) {
    const endpoint nowhere{std::string(80, 'x') + ".invalid", 80, false}; // no legal label
    const auto c = call(nowhere, caller);
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
    EXPECT_EQ(caller.detail, "the host name was not resolved: it does not exist");
}

TEST_F(upstream_calls, cancelled_before_it_connects_is_heard_of_no_more) {
    const auto c = call(caller);
    c->cancel();
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(upstream_calls, cancelled_while_resolving_is_heard_of_no_more) {
    const endpoint named{"localhost", port.port(), false};
    auto c = call(named, caller);
    on.context().poll_one();
    c->cancel();
    c = nullptr;
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(upstream_calls, cancelled_while_connecting_is_heard_of_no_more) {
    auto c = call(caller);
    on.context().poll_one();
    c->cancel();
    c->cancel();
    c = nullptr;
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(upstream_calls, cancelled_while_its_answer_comes_closes_the_connection) {
    for (const std::string at : {"head 200", "body"}) {
        noting_caller each;
        auto c = call(each);
        auto s = accept();
        each.then = [&](const std::string& word) {
            if (word != at) return;
            c->cancel();
            c = nullptr;
        };
        s.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
        turns.turn();
        EXPECT_EQ(each.heard.back(), at);
        EXPECT_TRUE(s.ended());
        EXPECT_TRUE(on.timers().empty());
    }
}

TEST_F(upstream_calls, cancelled_at_its_end_changes_nothing) {
    auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word != "complete") return;
        c->cancel();
        c->drain();
        c->pause();
        c->resume();
        c = nullptr;
    };
    s.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
    EXPECT_FALSE(s.ended());
}

TEST_F(upstream_calls, can_be_followed_by_another_from_within_its_failure) {
    auto c = call(caller);
    noting_caller next;
    caller.then = [&](const std::string& word) {
        if (word == "failure") c = call(next);
    };
    accept().close();
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(upstream_calls, that_nobody_holds_is_cancelled) {
    auto c = call(caller);
    auto s = accept();
    c = nullptr;
    s.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
    EXPECT_TRUE(s.ended());
}

TEST_F(upstream_calls, dropped_from_within_its_answer_is_cancelled) {
    auto c = call(caller);
    auto s = accept();
    caller.then = [&](const std::string& word) {
        if (word == "head 200") c = nullptr;
    };
    s.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200"));
    EXPECT_TRUE(s.ended());
}

TEST_F(upstream_calls, leaves_nothing_behind_when_the_client_ends_first) {
    auto mortal = std::make_unique<upstream_client>(on);
    const std::string_view pieces[] = {request};
    noting_caller kept;
    auto first = mortal->start(here, pieces, kept);
    auto s = accept();
    s.send(ok);
    turns.turn();
    mortal.reset();
    EXPECT_TRUE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

} // namespace
} // namespace turnout::net
