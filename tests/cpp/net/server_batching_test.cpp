// Answers that wait for the end of the turn in which they were given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/server_bounds.hpp"
#include "net/serving.hpp"

namespace turnout::net {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class server_batching : public serving {
protected:
    /// An exchange on a loop that is busy: what is written now waits.
    exchange_ptr open_busy(raw_socket& c, std::string_view request) {
        auto x = open(c, request);
        while (!on.writes().defers(somebody_)) {}
        return x;
    }

private:
    struct somebody final : batched_writer {
        void write_batched() override {}
    };
    somebody somebody_;
};

TEST_F(server_batching, an_answer_leaves_at_the_end_of_the_turn) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    x->respond(200, "", "hello");
    EXPECT_EQ(c.read(), "");
    turns.turn();
    EXPECT_THAT(c.read(), EndsWith("hello"));
}

TEST_F(server_batching, frames_of_a_turn_leave_together_and_the_stream_goes_on) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    x->start_stream(200, "");
    x->write("one");
    x->write("two");
    EXPECT_EQ(c.read(), "");
    turns.turn();
    EXPECT_THAT(c.read(), EndsWith("3\r\none\r\n3\r\ntwo\r\n"));
    x->end();
    turns.turn();
    EXPECT_THAT(c.read(), EndsWith("two\r\n0\r\n\r\n"));
    open(c, get("/b"))->respond(200, "", "the connection goes on");
    turns.turn();
    EXPECT_THAT(c.read(), EndsWith("goes on"));
}

TEST_F(server_batching, much_does_not_wait) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    x->start_stream(200, "");
    x->write("little");
    EXPECT_EQ(c.read(), "");
    x->write(std::string(bounds::batched_bytes, 'z'));
    EXPECT_THAT(c.read(), HasSubstr("little\r\n4000\r\nzzz"));
}

TEST_F(server_batching, an_observer_hears_when_it_has_left) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    noting_observer observer;
    x->observe(&observer);
    x->start_stream(200, "");
    x->write("one");
    EXPECT_GT(x->backlog(), 0U);
    turns.turn();
    EXPECT_EQ(x->backlog(), 0U);
    EXPECT_THAT(observer.heard, testing::ElementsAre("drained"));
    x->observe(nullptr);
    x->end();
}

TEST_F(server_batching, what_came_before_an_abort_is_sent_before_it) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    x->start_stream(200, "");
    x->write("one");
    x->abort();
    EXPECT_THAT(c.read(), EndsWith("3\r\none\r\n"));
    turns.turn();
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(server_batching, a_connection_that_closes_after_its_answer_sends_it_whole) {
    auto c = client();
    open_busy(c, get("/a", "Connection: close\r\n"))->respond(200, "", "hello");
    turns.until([&] { return c.ended(); });
    EXPECT_THAT(c.read(), EndsWith("hello"));
    EXPECT_FALSE(c.was_reset());
}

TEST_F(server_batching, a_client_that_left_meanwhile_is_noticed) {
    auto c = client();
    auto x = open_busy(c, get("/a"));
    noting_observer observer;
    x->observe(&observer);
    x->start_stream(200, "");
    x->write("one");
    c.reset();
    turns.until([&] { return !observer.heard.empty() && observer.heard.back() == "gone"; });
    EXPECT_TRUE(on.timers().empty());
}

} // namespace
} // namespace turnout::net
