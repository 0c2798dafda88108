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

class UpstreamCall : public Calling {};

TEST_F(UpstreamCall, ToAPortWhereNobodyListensFails) {
    port.close();
    const auto c = call(caller);
    EXPECT_THAT(caller.heard, IsEmpty());
    turns.until([&] { return caller.over(); });
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
    EXPECT_THAT(caller.detail, testing::StartsWith("the connection failed: "));
}

// Where localhost has an IPv6 address too, the upstream does not listen there.
TEST_F(UpstreamCall, TriesTheAddressesOfANameInTurn) {
    const endpoint named{"localhost", port.port(), false};
    const auto c = call(named, caller);
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(UpstreamCall, FailsOnceWhenNoAddressOfANameAnswers) {
    port.close();
    const endpoint named{"localhost", port.port(), false};
    const auto c = call(named, caller);
    turns.until([&] { return caller.over(); });
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
}

TEST_F(UpstreamCall, ToANameThatIsNotResolvedFails) {
    const endpoint nowhere{std::string(80, 'x') + ".invalid", 80, false}; // no legal label
    const auto c = call(nowhere, caller);
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.origin, failure_origin::connect_failed);
    EXPECT_EQ(caller.detail, "the host name was not resolved");
}

TEST_F(UpstreamCall, CancelledBeforeItConnectsIsHeardOfNoMore) {
    const auto c = call(caller);
    c->cancel();
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(UpstreamCall, CancelledWhileResolvingIsHeardOfNoMore) {
    const endpoint named{"localhost", port.port(), false};
    auto c = call(named, caller);
    on.context().poll_one();
    c->cancel();
    c = nullptr;
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(UpstreamCall, CancelledWhileConnectingIsHeardOfNoMore) {
    auto c = call(caller);
    on.context().poll_one();
    c->cancel();
    c->cancel();
    c = nullptr;
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(UpstreamCall, CancelledWhileItsAnswerComesClosesTheConnection) {
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

TEST_F(UpstreamCall, CancelledAtItsEndChangesNothing) {
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

TEST_F(UpstreamCall, CanBeFollowedByAnotherFromWithinItsFailure) {
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

TEST_F(UpstreamCall, ThatNobodyHoldsIsCancelled) {
    auto c = call(caller);
    auto s = accept();
    c = nullptr;
    s.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, IsEmpty());
    EXPECT_TRUE(s.ended());
}

TEST_F(UpstreamCall, DroppedFromWithinItsAnswerIsCancelled) {
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

TEST_F(UpstreamCall, LeavesNothingBehindWhenTheClientEndsFirst) {
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
