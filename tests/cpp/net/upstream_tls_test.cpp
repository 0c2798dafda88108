#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

#include "net/calling.hpp"
#include "net/tls_peer.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// An upstream behind TLS, whose certificate is the only one that is trusted.
class upstream_tls : public calling {
protected:
    upstream_tls() {
        std::signal(SIGPIPE, SIG_IGN); // as the process that owns the client does: OpenSSL writes without MSG_NOSIGNAL
        std::string path = testing::TempDir() + "turnout-authority-XXXXXX";
        const int descriptor = ::mkstemp(path.data());
        ::close(descriptor);
        authority = path;
        trust(identity);
    }
    ~upstream_tls() override {
        ::unsetenv("SSL_CERT_FILE");
        ::unlink(authority.c_str());
    }

    /// Before the first call, which makes the client's context.
    void trust(const tls_identity& whom) {
        whom.write_certificate(authority);
        ::setenv("SSL_CERT_FILE", authority.c_str(), 1);
    }

    endpoint to(std::string host) const { return {std::move(host), port.port(), true}; }

    void accept_tls() {
        raw_socket s;
        turns.until([&] { return port.accept(s); });
        peer = std::make_unique<tls_peer>(std::move(s), identity);
    }
    void await_request() {
        turns.until([&] { return peer->read().size() >= request.size() || caller.over(); });
        EXPECT_EQ(peer->take(), request);
    }

    std::string authority;
    const tls_identity identity{"DNS:localhost,IP:127.0.0.1"};
    std::unique_ptr<tls_peer> peer;
};

TEST_F(upstream_tls, carries_calls_and_is_reused) {
    RecordProperty("rules", "UP-TLS-009");
    const auto named = to("localhost");
    for (int i = 0; i < 3; ++i) {
        noting_caller each;
        const auto c = call(named, each);
        if (!peer) accept_tls();
        await_request();
        EXPECT_EQ(peer->server_name(), "localhost");
        peer->send(ok);
        turns.until([&] { return each.over(); });
        EXPECT_THAT(each.heard, ElementsAre("head 200", "body", "complete"));
    }
    EXPECT_FALSE(connects());
}

TEST_F(upstream_tls, checks_an_address_against_the_certificate_too) {
    RecordProperty("rules", "UP-TLS-009");
    const auto address = to("127.0.0.1");
    const auto c = call(address, caller);
    accept_tls();
    await_request();
    EXPECT_EQ(peer->server_name(), "") << "addresses are no server names";
    peer->send(ok);
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.heard.back(), "complete");
}

TEST_F(upstream_tls, refuses_a_certificate_that_nobody_vouches_for) {
    trust(tls_identity("DNS:somebody.else"));
    const auto named = to("localhost");
    const auto c = call(named, caller);
    accept_tls();
    turns.until([&] {
        peer->read();
        return caller.over();
    });
    EXPECT_THAT(caller.heard, ElementsAre("failure"));
    EXPECT_EQ(caller.origin, failure_origin::tls_failed);
    EXPECT_THAT(caller.detail, HasSubstr("is signed by itself"));
    EXPECT_EQ(peer->read(), "") << "no byte of the request was sent";
}

TEST_F(upstream_tls, refuses_a_certificate_for_another_host) {
    const tls_identity other("DNS:somebody.else");
    trust(other);
    const auto named = to("localhost");
    const auto c = call(named, caller);
    raw_socket s;
    turns.until([&] { return port.accept(s); });
    peer = std::make_unique<tls_peer>(std::move(s), other);
    turns.until([&] {
        peer->read();
        return caller.over();
    });
    EXPECT_EQ(caller.origin, failure_origin::tls_failed);
    EXPECT_THAT(caller.detail, HasSubstr("is for another host"));
}

TEST_F(upstream_tls, fails_where_nobody_speaks_it) {
    const auto named = to("127.0.0.1");
    const auto c = call(named, caller);
    raw_socket s;
    turns.until([&] { return port.accept(s); });
    s.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.origin, failure_origin::tls_failed);
    EXPECT_THAT(caller.detail, HasSubstr("does not speak TLS on this port"));
}

TEST_F(upstream_tls, fails_when_the_connection_closes_inside_the_handshake) {
    const auto named = to("127.0.0.1");
    const auto c = call(named, caller);
    raw_socket s;
    turns.until([&] { return port.accept(s); });
    turns.turn();
    s.close();
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.origin, failure_origin::tls_failed);
}

TEST_F(upstream_tls, can_be_cancelled_inside_the_handshake) {
    const auto named = to("127.0.0.1");
    auto c = call(named, caller);
    raw_socket s;
    turns.until([&] { return port.accept(s); });
    turns.turn();
    c->cancel();
    c = nullptr;
    turns.turn();
    s.read();
    EXPECT_TRUE(s.ended());
    EXPECT_THAT(caller.heard, IsEmpty());
}

TEST_F(upstream_tls, carries_large_requests_and_answers) {
    const auto named = to("localhost");
    const std::string body(3'000'000, 'b');
    const std::string head_line = "POST /x HTTP/1.1\r\nhost: h\r\ncontent-length: 3000000\r\n\r\n";
    const std::string_view pieces[] = {head_line, body};
    const auto c = client.start(named, pieces, caller);
    accept_tls();
    turns.until([&] { return peer->read().size() == head_line.size() + body.size(); });
    EXPECT_EQ(peer->take(), head_line + body);
    EXPECT_TRUE(c->sent());

    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n" + std::string(3'000'000, 'a');
    std::size_t sent = 0;
    turns.until([&] {
        sent += peer->send(std::string_view(answer).substr(sent));
        return caller.over();
    });
    EXPECT_EQ(caller.body, std::string(3'000'000, 'a'));
    EXPECT_EQ(caller.heard.back(), "complete");
}

// What OpenSSL has decrypted already makes no socket readable: a resumed call must look for it.
TEST_F(upstream_tls, goes_on_after_every_pause) {
    const auto named = to("localhost");
    const auto c = call(named, caller);
    accept_tls();
    await_request();
    bool paused = false;
    caller.then = [&](const std::string& word) {
        if (word != "body") return;
        c->pause();
        paused = true;
    };
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'a');
    std::size_t sent = 0;
    turns.until([&] {
        if (sent < answer.size()) sent += peer->send(std::string_view(answer).substr(sent));
        if (paused) {
            const auto before = caller.body.size();
            turns.turn();
            EXPECT_EQ(caller.body.size(), before);
            paused = false;
            c->resume();
        }
        return caller.over();
    });
    EXPECT_EQ(caller.body.size(), 1'000'000U);
}

// Whoever sits between could cut the connection, but cannot say in the words of TLS that it ends.
TEST_F(upstream_tls, ends_an_answer_with_the_connection_where_that_is_its_framing_and_tls_says_so) {
    RecordProperty("rules", "UP-TLS-008");
    for (const bool said : {true, false}) {
        noting_caller each;
        const auto named = to("localhost");
        const auto c = call(named, each);
        accept_tls();
        await_request();
        peer->send("HTTP/1.1 200 OK\r\n\r\nall of it");
        turns.until([&] { return each.body == "all of it"; });
        if (said) peer->shut_down();
        peer->socket().close();
        turns.until([&] { return each.over(); });
        EXPECT_THAT(each.heard, ElementsAre("head 200", "body", said ? "complete" : "failure"));
        if (!said) {
            EXPECT_EQ(each.origin, failure_origin::body_truncated);
        }
    }
}

TEST_F(upstream_tls, does_not_take_a_cut_answer_for_a_whole_one) {
    const auto named = to("localhost");
    const auto c = call(named, caller);
    accept_tls();
    await_request();
    peer->send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
    turns.until([&] { return caller.body == "half"; });
    peer->shut_down();
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.origin, failure_origin::body_truncated);
}

TEST_F(upstream_tls, repairs_a_closed_connection_once) {
    const auto named = to("localhost");
    {
        noting_caller first;
        const auto c = call(named, first);
        accept_tls();
        await_request();
        peer->send(ok);
        turns.until([&] { return first.over(); });
    }
    peer->shut_down();
    peer->socket().close();
    const auto c = call(named, caller);
    accept_tls();
    await_request();
    peer->send(ok);
    turns.until([&] { return caller.over(); });
    EXPECT_EQ(caller.heard.back(), "complete");
}

} // namespace
} // namespace turnout::net
