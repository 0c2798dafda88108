#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <poll.h>

#include "net/loopback.hpp"
#include "server/embedded.hpp"

namespace turnout::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

class embedded_gateway_test : public testing::Test {
protected:
    config::configuration settings() const {
        config::configuration c;
        c.server.port = 0;
        c.server.shutdown_grace = 50ms;
        c.router.of(config::operation::chat).json.max_attempts = 1;
        config::deployment d;
        d.id = d.label = "a";
        d.public_model = "gpt";
        d.upstream_model = "up";
        d.base_url = "http://127.0.0.1:" + std::to_string(upstream.port()) + "/v1";
        c.deployments = {d};
        return c;
    }
    embedded_options tested(unsigned workers = 2) {
        embedded_options o;
        o.workers = workers;
        o.test_control = true;
        o.seed = 1;
        o.log = [this](std::string_view line) {
            const std::scoped_lock lock(mutex);
            log.emplace_back(line);
        };
        return o;
    }

    /// Waits for the gateway's threads, which run by themselves.
    static void await(net::raw_socket& c, std::string_view text) {
        while (!c.has(text) && !c.ended()) {
            pollfd one{c.descriptor(), POLLIN, 0};
            ASSERT_GT(::poll(&one, 1, 30'000), 0);
        }
        ASSERT_THAT(c.read(), HasSubstr(std::string(text)));
    }
    static std::string post(std::string_view path, std::string_view body) {
        return "POST " + std::string(path) + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(body.size())
               + "\r\n\r\n" + std::string(body);
    }
    /// A chat request that the upstream has, and does not answer.
    net::raw_socket hanging(const embedded_gateway& g) {
        auto c = net::raw_socket::to(g.port());
        c.send(post("/v1/chat/completions", R"({"model":"gpt","messages":[]})"));
        net::raw_socket up;
        while (!upstream.accept(up)) std::this_thread::yield();
        held.push_back(std::move(up));
        return c;
    }

    net::raw_listener upstream;
    std::vector<net::raw_socket> held;
    std::mutex mutex;
    std::vector<std::string> log;
};

TEST_F(embedded_gateway_test, listens_from_start_to_stop) {
    embedded_gateway g(settings(), {});
    EXPECT_EQ(g.port(), 0);
    g.start();
    const auto port = g.port();
    EXPECT_NE(port, 0);
    auto c = net::raw_socket::to(port);
    c.send("GET /health/ready HTTP/1.1\r\nHost: h\r\n\r\n");
    await(c, R"({"status":"ok"})");
    g.stop();
    EXPECT_THROW(net::raw_socket::to(port), std::runtime_error);
    g.stop();
    EXPECT_THROW(g.start(), std::runtime_error);
}

TEST_F(embedded_gateway_test, stops_when_it_was_never_started) {
    embedded_gateway g(settings(), {});
    g.stop();
}

TEST_F(embedded_gateway_test, names_the_address_that_is_taken) {
    auto o = embedded_options();
    o.port = upstream.port();
    embedded_gateway g(settings(), o);
    try {
        g.start();
        FAIL() << "the port is taken";
    } catch (const std::runtime_error& e) {
        EXPECT_THAT(e.what(), StartsWith("cannot listen on 127.0.0.1:" + std::to_string(upstream.port()) + ": "));
    }
}

TEST_F(embedded_gateway_test, names_the_operation_log_that_cannot_be_used) {
    embedded_options o;
    o.data = "/dev/null/data";
    embedded_gateway g(settings(), o);
    try {
        g.start();
        FAIL() << "there can be no such directory";
    } catch (const std::runtime_error& e) {
        EXPECT_THAT(e.what(), StartsWith("the operation log /dev/null/data/log.db: "));
    }
}

TEST_F(embedded_gateway_test, shows_its_operation_log) {
    embedded_gateway g(settings(), {});
    g.start();
    auto c = net::raw_socket::to(g.port());
    c.send("GET /admin/logs HTTP/1.1\r\nHost: h\r\n\r\n");
    await(c, R"({"data":[],"pagination":{"limit":50,"offset":0,"total":0,"nextOffset":null}})");
}

TEST_F(embedded_gateway_test, moves_time_and_shows_timers) {
    embedded_gateway g(settings(), tested());
    g.start();
    auto c = hanging(g);
    const auto before = g.advance(0, "response");
    EXPECT_THAT(g.timers_json(), AllOf(HasSubstr(R"("kind":"response")"), HasSubstr(R"("kind":"total")")));
    EXPECT_EQ(g.advance(600'000, "response"), before + 600'000);
    await(c, "HTTP/1.1 504 ");
    g.stop();
    EXPECT_THAT(log, ElementsAre(HasSubstr("ms=600000")));
}

TEST_F(embedded_gateway_test, has_no_hold_on_time_without_test_control) {
    embedded_gateway g(settings(), {});
    g.start();
    EXPECT_THROW(g.timers_json(), std::logic_error);
    EXPECT_THROW(g.advance(1, std::nullopt), std::logic_error);
    EXPECT_THROW(g.seed(1), std::logic_error);
}

TEST_F(embedded_gateway_test, refuses_moves_that_make_no_sense) {
    embedded_gateway g(settings(), tested());
    EXPECT_THROW(g.advance(1, std::nullopt), std::logic_error) << "not started";
    g.start();
    EXPECT_THROW(g.advance(-1, std::nullopt), std::invalid_argument);
    EXPECT_THROW(g.advance(1, "lunch"), std::invalid_argument);
    g.stop();
    EXPECT_THROW(g.advance(1, std::nullopt), std::logic_error) << "stopped";
    EXPECT_THROW(g.timers_json(), std::logic_error);
}

// Whoever waits for a timer that is never armed must hear that it never will be.
TEST_F(embedded_gateway_test, releases_those_who_wait_for_time_when_it_stops) {
    embedded_gateway g(settings(), tested());
    g.start();
    std::thread waiting([&g] { EXPECT_THROW(g.advance(1, "idle"), std::logic_error); });
    g.stop();
    waiting.join();
}

TEST_F(embedded_gateway_test, stops_although_a_request_hangs_and_time_stands_still) {
    embedded_gateway g(settings(), tested());
    g.start();
    auto c = hanging(g);
    g.stop();
    EXPECT_TRUE(c.ended());
    EXPECT_THAT(log, ElementsAre(HasSubstr("status=503")));
}

TEST_F(embedded_gateway_test, stops_when_it_is_destroyed) {
    net::raw_socket c;
    {
        embedded_gateway g(settings(), tested());
        g.start();
        c = hanging(g);
    }
    EXPECT_TRUE(c.ended());
}

TEST_F(embedded_gateway_test, is_controlled_over_http_too) {
    embedded_gateway g(settings(), tested(1));
    g.start();
    auto c = net::raw_socket::to(g.port());
    const auto ask = [&](const std::string& request, std::string_view expected) {
        c.take();
        c.send(request);
        await(c, expected);
    };
    const auto now = g.advance(0, std::nullopt);
    ask("GET /test/timers HTTP/1.1\r\nHost: h\r\n\r\n", "{\"now_ms\":" + std::to_string(now) + ",\"timers\":[");
    ask(post("/test/advance", R"({"ms":5})"), "{\"now_ms\":" + std::to_string(now + 5) + "}");
    ask(post("/test/advance", R"({"ms":1,"until_armed":null})"), "{\"now_ms\":" + std::to_string(now + 6) + "}");
    ask(post("/test/seed", R"({"seed":7})"), "\r\n\r\n{}");
    for (const auto* body :
         {"", "[]", "{}", R"({"ms":-1})", R"({"ms":"1"})", R"({"ms":1.5})", R"({"ms":1,"until_armed":5})",
          R"({"ms":1,"until_armed":"lunch"})", R"({"ms":99999999999})"})
        ask(post("/test/advance", body), "HTTP/1.1 400 ");
    ask(post("/test/seed", R"({"seed":-1})"), "HTTP/1.1 400 ");
    ask("GET /test/advance HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 404 ");
}

TEST_F(embedded_gateway_test, lets_a_client_wait_over_http_when_it_stops) {
    embedded_gateway g(settings(), tested());
    g.start();
    auto c = net::raw_socket::to(g.port());
    c.send(post("/test/advance", R"({"ms":1,"until_armed":"idle"})"));
    g.advance(0, std::nullopt);
    g.stop();
    EXPECT_TRUE(c.ended());
}

} // namespace
} // namespace turnout::server
