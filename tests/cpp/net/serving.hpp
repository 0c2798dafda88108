#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "codec/http_date.hpp"
#include "net/listener.hpp"
#include "net/loopback.hpp"

namespace turnout::net {

/// Writes down what it hears of its client.
struct noting_observer final : exchange_observer {
    void on_client_gone() override { heard.emplace_back("gone"); }
    void on_client_stalled() override { heard.emplace_back("stalled"); }
    void on_drained() override { heard.emplace_back("drained"); }
    void on_server_ending() override { heard.emplace_back("ending"); }

    std::vector<std::string> heard;
};

/// Keeps requests until the test answers them; answers those to `/now` at once with their target.
class holding_handler final : public request_handler {
public:
    std::optional<refusal> check_head(const codec::http1::head& head, std::optional<std::uint64_t>) override {
        if (head.target() != "/refused") return std::nullopt;
        return refusal{403, "x-why: refused\r\n", "no"};
    }
    refusal body_too_large(const codec::http1::head&) override { return {413, "", "too large"}; }
    std::optional<refusal> overloaded(shortage what, const codec::http1::head& head) override {
        if (head.target() == "/now/vital") return std::nullopt;
        return refusal{503, "", what == shortage::memory ? "no memory" : "no connections"};
    }
    refusal too_slow(const codec::http1::head*) override { return {408, "", "too slow"}; }
    refusal malformed(codec::http1::problem_kind, std::string_view, const codec::http1::head*) override {
        return {400, "", "malformed"};
    }
    void on_request(const exchange_ptr& x) override {
        seen.push_back(std::string(x->request().method()) + " " + std::string(x->request().target()) + " "
                       + x->body().substr(0, 40));
        if (x->request().target().starts_with("/now"))
            x->respond(200, "", x->request().target());
        else
            held.push_back(x);
    }

    /// The oldest request that waits for its answer.
    exchange_ptr next() {
        auto x = held.at(0);
        held.erase(held.begin());
        return x;
    }

    std::vector<std::string> seen;
    std::vector<exchange_ptr> held;
};

/// A listener on a loop that the test turns, under a clock that the test moves.
class serving : public testing::Test {
protected:
    // As after a turn in which few wrote: what is answered is written at once.
    serving() { on.writes().flush(); }

    static listener_options options() {
        listener_options o;
        o.request_body_bytes = 1'000'000;
        o.client_write_stall = std::chrono::seconds(120);
        return o;
    }

    raw_socket client(int receive_buffer = 0) { return raw_socket::to(port.port(), receive_buffer); }

    static std::string get(std::string_view target, std::string_view fields = {}) {
        return "GET " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n";
    }
    static std::string post(std::string_view target, std::string_view body, std::string_view fields = {}) {
        return "POST " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n" + std::string(fields)
               + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
    }

    /// The line that every answer given now has.
    std::string date() const {
        codec::date_line line;
        return std::string(line.at(time.wall()));
    }

    /// Sends a request and answers the exchange that it became.
    exchange_ptr open(raw_socket& c, std::string_view request) {
        c.send(request);
        turns.until([this] { return !handler.held.empty(); });
        return handler.next();
    }

    /// Writes to a client that does not read until the kernel takes no more; how much that was.
    static std::size_t flood(exchange& x) {
        const std::string piece(16'384, 'z');
        std::size_t written = 0;
        while (x.backlog() == 0 && written < (std::size_t{64} << 20U)) {
            x.write(piece);
            written += piece.size();
        }
        EXPECT_GT(x.backlog(), 0U);
        return written;
    }

    /// Reads what the client is sent until it is as much as `total`, letting the loop write meanwhile.
    void read_all(raw_socket& c, std::size_t total) {
        turns.until([&] { return c.read().size() >= total; });
    }

    clock time{clock::mode::manual};
    loop on{time};
    hand_turned turns{on};
    holding_handler handler;
    listener port{on, options(), handler};
};

} // namespace turnout::net
