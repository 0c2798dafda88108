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

class UpstreamReuse : public Calling {};

TEST_F(UpstreamReuse, SendsTheNextRequestOnTheSameConnection) {
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

TEST_F(UpstreamReuse, IsPossibleFromWithinTheEndOfACall) {
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

TEST_F(UpstreamReuse, TakesTheConnectionThatWasUsedLast) {
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

TEST_F(UpstreamReuse, KeepsEndpointsApart) {
    auto s = keep();
    raw_listener elsewhere;
    const endpoint there{"127.0.0.1", elsewhere.port(), false};
    const auto c = call(there, caller);
    raw_socket t;
    turns.until([&] { return elsewhere.accept(t); });
    EXPECT_EQ(s.take(), "");
    c->cancel();
}

TEST_F(UpstreamReuse, IsNotTriedWhereTheAnswerSaysClose) {
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

TEST_F(UpstreamReuse, IsNotTriedWhereBytesFollowTheAnswer) {
    const auto c = call(caller);
    auto s = accept();
    s.send(std::string(ok) + "HTTP/1.1 200 OK\r\n");
    turns.turn();
    EXPECT_EQ(caller.heard.back(), "complete");
    EXPECT_TRUE(s.ended());
}

TEST_F(UpstreamReuse, EndsWithUnaskedBytesOnAnIdleConnection) {
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

TEST_F(UpstreamReuse, EndsWhenTheUpstreamCloses) {
    keep().close();
    turns.turn();
    EXPECT_TRUE(on.timers().empty());
    const auto c = call(caller);
    auto s = accept();
}

TEST_F(UpstreamReuse, EndsAfter30SecondsWithoutUse) {
    auto s = keep();
    turns.pass(30s - 1ns);
    EXPECT_FALSE(s.ended());
    turns.pass(1ns);
    EXPECT_TRUE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(UpstreamReuse, HasNoDeadlineWhileInUse) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1h);
    EXPECT_FALSE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(UpstreamReuse, EndsWhenIdleConnectionsAreClosed) {
    auto s = keep();
    client.close_idle();
    EXPECT_TRUE(s.ended());
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(UpstreamReuse, OfAClosedConnectionIsRepairedOnceByAFreshOne) {
    auto s = keep();
    s.close(); // and the loop has not seen it yet
    const auto c = call(caller);
    auto fresh = accept();
    EXPECT_THAT(caller.heard, IsEmpty());
    EXPECT_TRUE(c->sent());
    fresh.send(ok);
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(UpstreamReuse, IsRepairedNoMoreThanOnce) {
    auto first = keep();
    first.close();
    const auto c = call(caller);
    accept().close();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connection_lost);
    EXPECT_FALSE(connects());
}

TEST_F(UpstreamReuse, OfSeveralClosedConnectionsIsRepairedByAFreshOneAtOnce) {
    noting_caller other;
    const auto c = call(caller);
    auto a = accept();
    const auto d = call(other);
    auto b = accept();
    a.send(ok);
    b.send(ok);
    turns.turn();
    a.close();
    b.close();
    noting_caller next;
    const auto e = call(next);
    accept().send(ok);
    turns.turn();
    EXPECT_THAT(next.heard, ElementsAre("head 200", "body", "complete"));
}

TEST_F(UpstreamReuse, IsRepairedUpToASecondAfterTheRequestLeft) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1s - 1ns);
    s.reset();
    auto fresh = accept();
    c->cancel();
}

TEST_F(UpstreamReuse, IsNotRepairedLater) {
    auto s = keep();
    const auto c = call(caller);
    turns.pass(1s);
    s.reset();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::connection_lost);
    EXPECT_FALSE(connects());
}

TEST_F(UpstreamReuse, IsNotRepairedOnceAByteOfTheAnswerCame) {
    auto s = keep();
    const auto c = call(caller);
    s.send("H");
    turns.turn();
    s.close();
    turns.turn();
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_FALSE(connects());
}

TEST_F(UpstreamReuse, IsNotRepairedForACallThatWasCancelled) {
    auto s = keep();
    s.close();
    const auto c = call(caller);
    c->cancel();
    EXPECT_FALSE(connects());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(UpstreamReuse, FollowsADrainedAnswer) {
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

TEST_F(UpstreamReuse, FollowsAnAnswerWhoseLastBytesAreInTheReadThatDrainsIt) {
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

TEST_F(UpstreamReuse, DoesNotFollowADrainedAnswerThatGoesOnForASecond) {
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

TEST_F(UpstreamReuse, DoesNotFollowADrainedAnswerOfMoreThan256Kib) {
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
