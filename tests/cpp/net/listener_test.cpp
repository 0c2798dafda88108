#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <boost/system/system_error.hpp>
#include <sys/resource.h>

#include "net/listener.hpp"
#include "net/port_probe.hpp"
#include "net/serving.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class listener_test : public serving {
protected:
    void drain() {
        port.drain([this] { ++drained; });
    }

    int drained = 0;
};

TEST_F(listener_test, takes_any_free_port_and_says_which) {
    EXPECT_NE(port.port(), 0);
    listener other(on, options(), handler);
    EXPECT_NE(other.port(), port.port());
}

TEST_F(listener_test, shares_its_port_with_other_loops) {
    loop second(time);
    auto o = options();
    o.port = port.port();
    const listener other(second, o, handler);
    EXPECT_EQ(other.port(), port.port());
}

TEST_F(listener_test, refuses_an_address_that_is_not_here) {
    auto o = options();
    o.host = "192.0.2.1"; // TEST-NET-1
    EXPECT_THROW(listener(on, o, handler), boost::system::system_error);
    EXPECT_NE(probe_port("192.0.2.1", 0), "");
}

TEST_F(listener_test, is_found_by_a_probe_of_its_port) {
    EXPECT_NE(probe_port("127.0.0.1", port.port()), "");
    EXPECT_EQ(probe_port("127.0.0.1", 0), "");
    EXPECT_EQ(probe_port("localhost", 0), "");
    EXPECT_EQ(probe_port("example.org", 0), "the host must be an IP address or localhost");
}

TEST_F(listener_test, is_drained_at_once_when_nobody_is_connected) {
    drain();
    EXPECT_EQ(drained, 0) << "only on a later turn";
    turns.turn();
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, accepts_no_more_once_draining) {
    const auto where = port.port();
    drain();
    turns.turn();
    EXPECT_THROW(raw_socket::to(where), std::runtime_error);
}

TEST_F(listener_test, closes_idle_connections_when_draining) {
    auto fresh = client();
    auto used = client();
    used.send(get("/now"));
    turns.until([&] { return used.has("/now"); });
    drain();
    turns.turn();
    EXPECT_TRUE(fresh.ended());
    EXPECT_TRUE(used.ended());
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, answers_requests_under_way_and_closes_then_when_draining) {
    auto c = client();
    auto streamed = client();
    auto x = open(c, get("/a"));
    auto y = open(streamed, get("/b"));
    y->start_stream(200, "");
    y->write("one");
    drain();
    turns.turn();
    EXPECT_EQ(drained, 0);

    x->respond(200, "", "finished");
    y->write("two");
    y->end();
    turns.turn();
    EXPECT_THAT(c.read(), HasSubstr("connection: close\r\n"));
    EXPECT_THAT(c.read(), testing::EndsWith("finished"));
    EXPECT_TRUE(c.ended());
    EXPECT_THAT(streamed.read(), testing::EndsWith("two\r\n0\r\n\r\n"));
    EXPECT_TRUE(streamed.ended());
    c.close();
    streamed.close();
    turns.turn();
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, does_not_wait_long_for_clients_that_keep_an_answered_connection) {
    auto c = client();
    auto x = open(c, get("/a"));
    drain();
    x->respond(200, "", "finished");
    turns.turn();
    turns.pass(2s - 1ns);
    EXPECT_EQ(drained, 0);
    turns.pass(1ns);
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, serves_a_request_that_had_begun_to_come_when_draining) {
    auto c = client();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
    turns.turn();
    drain();
    turns.turn();
    EXPECT_EQ(drained, 0);
    c.send("bc" + get("/now"));
    turns.turn();
    EXPECT_THAT(handler.seen, ElementsAre("POST /now abc"));
    EXPECT_TRUE(c.ended());
    c.close();
    turns.turn();
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, waits_for_answers_on_their_way_when_draining) {
    auto c = client(4096);
    auto x = open(c, get("/a"));
    const std::string body(8'000'000, 'z');
    x->respond(200, "", body);
    x = nullptr;
    drain();
    turns.turn();
    EXPECT_EQ(drained, 0);
    turns.until([&] { return c.ended(); });
    EXPECT_GT(c.read().size(), body.size());
    EXPECT_FALSE(c.was_reset());
    c.close();
    turns.turn();
    EXPECT_EQ(drained, 1);
}

TEST_F(listener_test, breaks_every_connection_off) {
    noting_observer o;
    auto idle = client();
    auto inside = client();
    auto waiting = client();
    auto slow = client(4096);
    inside.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
    auto x = open(waiting, get("/b"));
    x->observe(&o);
    auto y = open(slow, get("/c"));
    noting_observer p;
    y->observe(&p);
    y->start_stream(200, "");
    flood(*y);
    turns.turn();

    drain();
    port.break_off();
    turns.turn();
    EXPECT_EQ(drained, 1);
    EXPECT_THAT(o.heard, ElementsAre("gone"));
    EXPECT_THAT(p.heard, ElementsAre("gone"));
    for (auto* c : {&idle, &inside, &waiting, &slow}) EXPECT_TRUE(c->ended());
    EXPECT_TRUE(on.timers().empty());
    port.break_off();
    turns.turn();
    EXPECT_EQ(drained, 1);
}

TEST(listener_lifetime, ends_before_its_connections) {
    clock time{clock::mode::manual};
    holding_handler handler;
    auto on = std::make_unique<loop>(time);
    auto port = std::make_unique<listener>(*on, listener_options{}, handler);
    auto c = raw_socket::to(port->port());
    c.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
    hand_turned(*on).until([&] { return !handler.held.empty(); });
    handler.held.clear();
    port.reset();
    on.reset();
    EXPECT_TRUE(c.ended());
}

// With no descriptor left for it a client stays in the backlog; asking again at once would only burn the processor.
#ifndef __SANITIZE_ADDRESS__ // the checks of its build open descriptors themselves, and take their lack for a fault
TEST_F(listener_test, rests_when_the_process_has_no_descriptors_left) {
    auto c = client();
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit none = before;
    none.rlim_cur = 0;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    std::size_t turned = 0;
    while (turned < 1'000 && on.context().poll_one() > 0) ++turned;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_LT(turned, 1'000U);

    c.send(get("/now"));
    turns.until([&] { return c.has("/now"); });
}
#endif

} // namespace
} // namespace turnout::net
