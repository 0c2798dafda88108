#include <chrono>
#include <string>
#include <vector>

#include "net/serving.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// A second listener that may have two clients, and hold 1,000 bytes of their requests.
class server_bounds : public serving {
protected:
    listener_options few() const {
        auto o = options();
        o.capacity = capacity;
        return o;
    }
    raw_socket another() { return raw_socket::to(full.port()); }
    /// Connects and has a request answered, so that the connection is counted.
    raw_socket served() {
        auto c = another();
        c.send(get("/now"));
        turns.until([&] { return c.has("/now"); });
        c.take();
        return c;
    }

    std::shared_ptr<server_capacity> capacity = std::make_shared<server_capacity>(2, 1'000);
    listener full{on, few(), handler};
};

TEST_F(server_bounds, a_client_beyond_the_limit_is_refused_and_closed) {
    auto a = served();
    auto b = served();
    auto c = another();
    turns.turn();
    EXPECT_EQ(c.read(), "") << "it is told when it asks";
    c.send(get("/now"));
    turns.turn();
    EXPECT_THAT(c.read(),
                AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("connection: close\r\n"), EndsWith("no connections")));
    EXPECT_TRUE(c.ended());
    EXPECT_FALSE(c.was_reset());
    EXPECT_EQ(capacity->connections(), 2U);
    for (auto* kept : {&a, &b}) {
        kept->send(get("/now"));
        turns.turn();
        EXPECT_TRUE(kept->has("/now"));
    }
}

TEST_F(server_bounds, room_that_a_client_leaves_is_taken_by_the_next) {
    auto a = served();
    auto b = served();
    a.close();
    turns.until([&] { return capacity->connections() == 1; });
    auto c = served();
    EXPECT_FALSE(c.ended());
}

TEST_F(server_bounds, vital_requests_beyond_the_limit_are_answered_and_the_connection_closed) {
    auto a = served();
    auto b = served();
    auto c = another();
    c.send(get("/now/vital"));
    turns.turn();
    EXPECT_THAT(c.read(), AllOf(StartsWith("HTTP/1.1 200 "), HasSubstr("connection: close\r\n")));
    EXPECT_TRUE(c.ended());
}

TEST_F(server_bounds, a_silent_client_beyond_the_limit_is_closed_after_2_seconds) {
    auto a = served();
    auto b = served();
    auto c = another();
    auto begun = another();
    begun.send("GET ");
    turns.turn();
    turns.pass(2s - 1ns);
    EXPECT_FALSE(c.ended());
    turns.pass(1ns);
    EXPECT_TRUE(c.ended());
    EXPECT_EQ(c.read(), "");
    EXPECT_THAT(begun.read(), StartsWith("HTTP/1.1 408 "));
}

// Telling clients that there is no room needs descriptors too.
TEST_F(server_bounds, so_many_clients_beyond_the_limit_are_told_at_a_time) {
    auto a = served();
    auto b = served();
    std::vector<raw_socket> silent;
    for (int i = 0; i < 32; ++i) silent.push_back(another());
    turns.turn();
    auto late = another();
    late.send(get("/now"));
    turns.turn();
    EXPECT_EQ(late.read(), "");
    silent.back().close();
    turns.until([&] { return late.ended(); });
    EXPECT_THAT(late.read(), StartsWith("HTTP/1.1 503 "));
}

TEST_F(server_bounds, requests_may_hold_as_many_bytes_as_there_is_room_for) {
    auto a = another();
    auto b = another();
    a.send(post("/a", std::string(600, 'a')));
    b.send(post("/b", std::string(400, 'b')));
    turns.turn();
    EXPECT_THAT(handler.held, SizeIs(2));
    EXPECT_EQ(capacity->bytes(), 1'000U);
    handler.next()->respond(200, "", "");
    EXPECT_EQ(capacity->bytes(), 400U);
    handler.next()->respond(200, "", "");
    EXPECT_EQ(capacity->bytes(), 0U);
}

TEST_F(server_bounds, a_request_that_announces_more_than_there_is_room_for_is_refused_at_its_head) {
    auto a = another();
    auto x = open(a, post("/a", std::string(600, 'a')));
    auto b = another();
    b.send("POST /b HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 401\r\n\r\n");
    turns.turn();
    EXPECT_THAT(b.read(), AllOf(StartsWith("HTTP/1.1 503 "), EndsWith("no memory")));
    x->respond(200, "", "");
    a.close();
    turns.turn();
    auto c = another();
    c.send("POST /now HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 401\r\n\r\n");
    turns.turn();
    EXPECT_THAT(c.read(), StartsWith("HTTP/1.1 100 "));
}

TEST_F(server_bounds, a_request_that_grows_beyond_the_room_is_refused) {
    auto a = another();
    a.send("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + std::string(1'000, 'a')
           + "\r\n");
    turns.turn();
    EXPECT_EQ(a.read(), "");
    EXPECT_EQ(capacity->bytes(), 1'000U);
    a.send("1\r\na\r\n0\r\n\r\n");
    turns.turn();
    EXPECT_THAT(a.read(), AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("connection: close\r\n")));
    EXPECT_EQ(capacity->bytes(), 0U);
    EXPECT_THAT(handler.seen, IsEmpty());
}

TEST_F(server_bounds, bytes_are_given_back_when_a_client_leaves_and_when_a_body_is_freed) {
    auto a = another();
    auto b = another();
    a.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 400\r\n\r\n" + std::string(300, 'a'));
    auto x = open(b, post("/b", std::string(500, 'b')));
    EXPECT_EQ(capacity->bytes(), 800U);
    a.close();
    turns.turn();
    EXPECT_EQ(capacity->bytes(), 500U);
    x->free_body();
    EXPECT_EQ(capacity->bytes(), 0U);
    EXPECT_EQ(x->body(), "");
    x->respond(200, "", "");
    EXPECT_EQ(capacity->bytes(), 0U);
}

TEST_F(server_bounds, requests_that_wait_for_their_turn_hold_bytes_too) {
    auto a = another();
    auto x = open(a, get("/a"));
    a.send(get("/now") + get("/now"));
    turns.turn();
    EXPECT_EQ(capacity->bytes(), 2 * get("/now").size());
    x->respond(200, "", "");
    turns.turn();
    EXPECT_EQ(capacity->bytes(), 0U);
}

/// A client that has sent so much more than its request that it is not read on.
class server_watch : public serving {
protected:
    void SetUp() override {
        x = open(c, get("/a"));
        x->observe(&o);
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(c.send(std::string(50'000, 'e')), 50'000U);
            turns.turn();
        }
    }

    noting_observer o;
    raw_socket c = client();
    exchange_ptr x;
};

TEST_F(server_watch, notices_within_a_second_that_its_client_has_left) {
    c.close();
    turns.turn();
    EXPECT_THAT(o.heard, IsEmpty());
    turns.pass(1s);
    EXPECT_THAT(o.heard, ElementsAre("gone"));
}

TEST_F(server_watch, goes_on_while_the_client_stays) {
    for (int i = 0; i < 3; ++i) turns.pass(1s);
    EXPECT_THAT(o.heard, IsEmpty());
    c.reset();
    turns.pass(1s);
    EXPECT_THAT(o.heard, ElementsAre("gone"));
}

TEST_F(server_watch, ends_with_the_answer) {
    x->observe(nullptr);
    x->respond(200, "", "first");
    turns.turn();
    EXPECT_THAT(c.read(), HasSubstr("first"));
    EXPECT_THAT(c.read(), EndsWith("malformed"));
    turns.pass(2s);
    EXPECT_TRUE(on.timers().empty());
}

} // namespace
} // namespace turnout::net
