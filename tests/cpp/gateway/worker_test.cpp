#include <chrono>
#include <string>

#include "gateway/running.hpp"
#include "gateway/worker.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using testing::UnorderedElementsAre;

class worker_test : public running {
protected:
    bool stopped() { return gateway().on().context().stopped(); }
    void stop() {
        gateway().stop(30s);
        turns().turn();
    }
};

TEST_F(worker_test, stops_at_once_when_nothing_is_under_way) {
    stop();
    EXPECT_TRUE(stopped());
    gateway().run(); // returns
}

TEST_F(worker_test, stops_with_idle_connections_on_both_sides) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    up_a.answer(200, good_answer);
    await(c, "hello");
    stop();
    EXPECT_TRUE(c.ended());
    EXPECT_TRUE(up_a.talks.ended());
    EXPECT_TRUE(stopped());
}

TEST_F(worker_test, finishes_what_is_under_way_before_it_stops) {
    auto c = client();
    auto streaming = client();
    c.send(chat());
    await_request(up_a);
    auto first = std::move(up_a.talks);
    streaming.send(stream());
    await_request(up_a);
    up_a.begin_stream();
    up_a.delta("one");
    await(streaming, "one");

    stop();
    EXPECT_FALSE(stopped());
    turns().pass(29s);
    up_a.delta("two");
    up_a.finish();
    up_a.done();
    first.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(good_answer.size()) + "\r\n\r\n"
               + std::string(good_answer));
    turns().until([&] { return c.ended() && streaming.ended(); });
    EXPECT_THAT(c.read(), testing::AllOf(HasSubstr("connection: close\r\n"), HasSubstr("hello")));
    EXPECT_THAT(streaming.read(), EndsWith("data: [DONE]\n\n\r\n0\r\n\r\n"));
    c.close();
    streaming.close();
    turns().until([&] { return stopped(); });
}

TEST_F(worker_test, breaks_off_what_hangs_after_the_grace) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    auto streaming = client();
    auto first = std::move(up_a.talks);
    streaming.send(stream());
    await_request(up_a);
    up_a.begin_stream();
    up_a.delta("one");
    await(streaming, "one");
    auto uploading = client();
    uploading.send("POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{");
    turns().turn();

    stop();
    turns().pass(30s - 1ns);
    EXPECT_FALSE(stopped());
    turns().pass(1ns);
    turns().until([&] { return stopped(); });
    for (auto* each : {&c, &streaming, &uploading}) EXPECT_TRUE(each->ended());
    EXPECT_THAT(c.read(), testing::AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("shutting_down")));
    EXPECT_THAT(streaming.read(), testing::AllOf(HasSubstr("shutting_down"), EndsWith("0\r\n\r\n")));
    EXPECT_TRUE(first.ended());
    EXPECT_TRUE(up_a.talks.ended());
    EXPECT_THAT(log, UnorderedElementsAre(HasSubstr("status=503"), HasSubstr("status=200")));
    EXPECT_EQ(in_flight(), 0U);
}

TEST_F(worker_test, answers_a_request_that_waits_to_try_again_when_the_grace_is_over) {
    settings.deployments.pop_back();
    auto c = client();
    c.send(chat());
    await_request(up_a);
    up_a.answer(503, "{}");
    turns().until([&] { return timers().armed(net::timer_kind::wait); });
    gateway().stop(0ms);
    turns().turn();
    turns().pass(0ms);
    turns().until([&] { return stopped(); });
    EXPECT_THAT(c.read(), testing::AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("shutting_down")));
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=503")));
}

TEST_F(worker_test, may_be_hurried) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    stop();
    EXPECT_FALSE(stopped());
    gateway().end_grace();
    turns().until([&] { return stopped(); });
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 503 "));
}

TEST_F(worker_test, may_be_told_to_stop_twice) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    stop();
    turns().pass(20s);
    stop();
    turns().pass(10s);
    turns().until([&] { return stopped(); });
    stop();
}

TEST_F(worker_test, says_that_it_is_not_ready_while_it_stops) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    auto probe = client();
    probe.send("GET /health/ready HTTP/1.1\r\nHost: h\r\n"); // begun before, so answered
    turns().turn();
    stop();
    probe.send("\r\n");
    turns().until([&] { return probe.ended(); });
    EXPECT_THAT(probe.read(), StartsWith("HTTP/1.1 503 "));
}

TEST_F(worker_test, that_is_destroyed_breaks_off_what_is_under_way) {
    auto c = client();
    c.send(chat());
    await_request(up_a);
    destroy();
    EXPECT_TRUE(c.ended());
    EXPECT_TRUE(up_a.talks.ended());
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=499")));
}

} // namespace
} // namespace turnout::gateway
