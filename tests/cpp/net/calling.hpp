#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "net/loopback.hpp"
#include "net/upstream.hpp"

namespace turnout::net {

/// Writes down how a call goes, one word per event, and does what the test says at each.
struct noting_caller final : call_observer {
    void on_head(const codec::http1::head& head) override { note("head " + std::to_string(head.status())); }
    void on_body(std::string_view bytes) override {
        body.append(bytes);
        note("body");
    }
    void on_complete() override { note("complete"); }
    void on_failure(base::failure_origin why, std::string_view text) override {
        origin = why;
        detail = text;
        note("failure");
    }

    void note(std::string word) {
        if (word != "body" || heard.empty() || heard.back() != "body") heard.push_back(std::move(word));
        if (then) then(heard.back());
    }
    bool over() const { return !heard.empty() && (heard.back() == "complete" || heard.back() == "failure"); }

    std::vector<std::string> heard;
    std::string body;
    base::failure_origin origin = base::failure_origin::gateway;
    std::string detail;
    std::function<void(const std::string&)> then;
};

/// A client side on a loop that the test turns, and an upstream that the test plays byte by byte.
class calling : public testing::Test {
protected:
    static constexpr std::string_view head = "POST /x HTTP/1.1\r\nhost: h\r\ncontent-length: 4\r\n\r\n";
    static constexpr std::string_view request = "POST /x HTTP/1.1\r\nhost: h\r\ncontent-length: 4\r\n\r\nbody";
    static constexpr std::string_view ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    call_ptr call(noting_caller& hears) {
        static constexpr std::string_view pieces[] = {head, "bo", "dy"};
        return client.start(here, pieces, hears);
    }
    /// The same to somewhere else, which must outlive the call.
    call_ptr call(const endpoint& to, noting_caller& hears) {
        static constexpr std::string_view pieces[] = {request};
        return client.start(to, pieces, hears);
    }

    /// Accepts the next connection and waits for the whole request on it.
    raw_socket accept() {
        raw_socket s;
        turns.until([&] { return port.accept(s); });
        turns.until([&] { return s.read().size() >= request.size(); });
        EXPECT_EQ(s.take(), request);
        return s;
    }

    /// Whether a connection is being made that the test has not accepted yet.
    bool connects() {
        turns.turn();
        return port.accept(extra);
    }

    /// A whole exchange, after which the connection is kept.
    raw_socket keep() {
        noting_caller c;
        const auto first = call(c);
        auto s = accept();
        s.send(ok);
        turns.until([&] { return c.over(); });
        EXPECT_THAT(c.heard, testing::ElementsAre("head 200", "body", "complete"));
        return s;
    }

    clock time{clock::mode::manual};
    loop on{time};
    hand_turned turns{on};
    raw_listener port;
    const endpoint here{"127.0.0.1", port.port(), false};
    raw_socket extra;
    upstream_client client{on};
    noting_caller caller;
};

} // namespace turnout::net
