#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "gateway/worker.hpp"
#include "net/loopback.hpp"
#include "state/memory_store.hpp"

namespace turnout::gateway {

/// One upstream that the test plays: a port, and the connection that it talks on.
struct played_upstream {
    net::raw_listener port;
    net::raw_socket talks;

    /// Whether a whole request is there, on a new connection or on the one that is open.
    bool has_request() {
        net::raw_socket fresh;
        if (port.accept(fresh)) talks = std::move(fresh);
        if (!talks.open()) return false;
        const auto& text = talks.read();
        const auto end = text.find("\r\n\r\n");
        const auto length = text.find("content-length: ");
        if (end == std::string::npos || length > end) return false;
        return text.size() >= end + 4 + std::strtoull(text.c_str() + length + 16, nullptr, 10);
    }
    void answer(int status, std::string_view body, std::string_view fields = {}) {
        talks.send("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size())
                   + "\r\n" + std::string(fields) + "\r\n" + std::string(body));
    }
    void begin_stream() {
        talks.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
    }
    /// One event, as a chunk of its own; how much the kernel took.
    std::size_t event(std::string_view data) {
        const std::string text = "data: " + std::string(data) + "\n\n";
        char size[20];
        std::snprintf(size, sizeof size, "%zx\r\n", text.size());
        return talks.send(size + text + "\r\n");
    }
    void delta(std::string_view text) {
        event(R"({"id":"c1","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":)"
              R"({"role":"assistant","content":")"
              + std::string(text) + R"("},"finish_reason":null}]})");
    }
    void finish() {
        event(
            R"({"id":"c1","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{},)"
            R"("finish_reason":"stop"}]})");
    }
    void done() {
        event("[DONE]");
        talks.send("0\r\n\r\n");
    }
};

constexpr std::string_view good_answer =
    R"({"id":"c1","object":"chat.completion","created":1,"model":"up","choices":[{"index":0,"message":)"
    R"({"role":"assistant","content":"hello"},"finish_reason":"stop"}]})";

/// A worker that the test turns, under a clock that the test moves, with deployments `a` and `b` of the model `gpt`.
/// `a` weighs so much more that it is always asked first.
class running : public testing::Test {
protected:
    running() {
        settings.deployments = {target("a", up_a.port.port(), 4'000'000'000U), target("b", up_b.port.port(), 1)};
    }

    void TearDown() override { destroy(); } // before what a test has put in its way
    void destroy() { made_.reset(); }

    static config::deployment target(const std::string& name, std::uint16_t port, std::uint32_t weight) {
        config::deployment d;
        d.id = d.label = name;
        d.public_model = "gpt";
        d.upstream_model = "up";
        d.api_key = "key-" + name;
        d.base_url = "http://127.0.0.1:" + std::to_string(port) + "/v1";
        d.weight = weight;
        return d;
    }

    static config::configuration defaults() {
        config::configuration c;
        auto& chat = c.router.of(config::operation::chat);
        chat.json.max_attempts = chat.stream.max_attempts = 2; // each is asked once
        return c;
    }

    /// The worker is made with `settings` at its first use.
    worker& gateway() {
        if (!made_) {
            shared_ = std::make_unique<shared_context>(settings);
            net::listener_options where;
            where.request_body_bytes = settings.server.request_body_bytes;
            where.client_write_stall = settings.server.client_write_stall;
            made_ = std::make_unique<worker>(
                *shared_, *asked, time, where, 7, [this](std::string_view line) { log.emplace_back(line); }, extra);
        }
        return *made_;
    }
    net::hand_turned turns() { return net::hand_turned(gateway().on()); }
    net::timer_lists& timers() { return gateway().on().timers(); }

    net::raw_socket client(int receive_buffer = 0) { return net::raw_socket::to(gateway().port(), receive_buffer); }

    static std::string chat(std::string_view members = {}, std::string_view fields = {}) {
        const std::string body =
            R"({"model":"gpt","messages":[{"role":"user","content":"hi"}])" + std::string(members) + "}";
        return "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\n" + std::string(fields)
               + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    static std::string stream() { return chat(R"(,"stream":true)"); }

    void await_request(played_upstream& up) {
        turns().until([&] { return up.has_request(); });
    }
    void await(net::raw_socket& c, std::string_view text) {
        turns().until([&] { return c.has(text); });
    }
    std::size_t in_flight() {
        std::size_t n = 0;
        const state::deployment_ref refs[] = {{.key = 0}, {.key = 1, .domain = 1}};
        store.read({gateway().on().now(), time.wall()}, refs, {},
                   [&](state::state_error, std::span<const routing::deployment_snapshot> values) {
                       for (const auto& each : values) n += each.in_flight;
                   });
        return n;
    }
    /// What remains armed once every request is over belongs to connections, not to requests.
    void expect_nothing_left() {
        EXPECT_EQ(in_flight(), 0U);
        for (const auto& t : timers().snapshot()) EXPECT_EQ(t.request, "") << net::to_string(t.kind);
    }

    played_upstream up_a;
    played_upstream up_b;
    config::configuration settings = defaults();
    net::clock time{net::clock::mode::manual};
    state::memory_store store;
    state::store* asked = &store; ///< what the worker asks; another may stand before `store`
    std::vector<std::string> log;
    std::vector<extra_routes*> extra;

private:
    std::unique_ptr<shared_context> shared_;
    std::unique_ptr<worker> made_;
};

} // namespace turnout::gateway
