#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "net/serving.hpp"
#include "net/tls_peer.hpp"
#include "net/tls_server.hpp"
#include "net/tls_visitor.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A server behind TLS.
class server_tls : public serving {
protected:
    server_tls() {
        std::signal(SIGPIPE, SIG_IGN);
        std::string made = testing::TempDir() + "turnout-server-XXXXXX";
        folder = ::mkdtemp(made.data());
        port.use_certificate(context_of(identity));
    }
    ~server_tls() override { std::filesystem::remove_all(folder); }

    server_tls_context context_of(const tls_identity& whom) const {
        whom.write_certificate(folder + "/certificate.pem");
        whom.write_key(folder + "/key.pem");
        return std::get<server_tls_context>(make_server_context(folder + "/certificate.pem", folder + "/key.pem"));
    }

    std::unique_ptr<tls_visitor> visit(const tls_visitor::manner& m = {}, int receive_buffer = 0) {
        auto v = std::make_unique<tls_visitor>(client(receive_buffer), m);
        turns.until([&] { return v->greeted() || v->failed(); });
        turns.turn();
        return v;
    }
    exchange_ptr open_secure(tls_visitor& v, std::string_view request) {
        v.send(request);
        turns.until([this] { return !handler.held.empty(); });
        return handler.next();
    }
    void await(tls_visitor& v, std::string_view text) {
        turns.until([&] { return v.read().find(text) != std::string::npos || v.failed(); });
        EXPECT_THAT(v.read(), HasSubstr(std::string(text)));
    }

    std::string folder;
    const tls_identity identity{"DNS:localhost,IP:127.0.0.1"};
};

TEST_F(server_tls, answers_in_both_versions) {
    for (const auto& [version, name] : {std::pair{TLS1_2_VERSION, "TLSv1.2"}, std::pair{TLS1_3_VERSION, "TLSv1.3"}}) {
        auto v = visit({.least = version, .most = version});
        EXPECT_EQ(v->version(), name);
        for (int i = 0; i < 3; ++i) {
            v->send(get("/now" + std::to_string(i)));
            await(*v, "\r\n\r\n/now" + std::to_string(i));
        }
    }
}

TEST_F(server_tls, refuses_older_versions) {
    auto v = visit({.least = TLS1_VERSION, .most = TLS1_1_VERSION});
    EXPECT_TRUE(v->failed());
    EXPECT_THAT(v->reason(), HasSubstr("protocol version"));
    EXPECT_TRUE(handler.seen.empty());
}

TEST_F(server_tls, chooses_http_1_1) {
    EXPECT_EQ(visit({.protocols = "\x02h2\x08http/1.1"sv})->protocol(), "http/1.1");
    EXPECT_EQ(visit()->protocol(), "");
    auto v = visit({.protocols = "\x02h2"sv});
    EXPECT_TRUE(v->failed());
    EXPECT_THAT(v->reason(), HasSubstr("no application protocol"));
}

TEST_F(server_tls, recognizes_clients_that_come_back) {
    const auto shared = context_of(identity);
    listener other(on, options(), handler); // as that of another thread
    port.use_certificate(shared);
    other.use_certificate(shared);
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        auto first = visit({.least = version, .most = version});
        EXPECT_FALSE(first->recognized());
        first->send(get("/now"));
        await(*first, "/now");
        ASSERT_TRUE(first->ticket());
        tls_visitor second(raw_socket::to(other.port()), {.least = version, .most = version, .known = first->ticket()});
        second.send(get("/now"));
        turns.until([&] { return second.greeted(); });
        EXPECT_TRUE(second.recognized());
        second.send(get("/now"));
        await(second, "/now");
    }
}

// Its last message and its first request come in one segment, of which no socket tells twice.
TEST_F(server_tls, sees_a_request_that_comes_with_the_handshake) {
    tls_visitor v(client());
    const auto request = get("/now");
    turns.until([&] { return v.send(request) == request.size(); });
    await(v, "\r\n\r\n/now");
}

TEST_F(server_tls, takes_large_bodies_and_answers_with_large_ones) {
    auto v = visit();
    const std::string request = post("/held", std::string(900'000, 'b'));
    std::size_t sent = 0;
    turns.until([&] {
        sent += v->send(std::string_view(request).substr(sent));
        return !handler.held.empty();
    });
    const auto x = handler.next();
    EXPECT_EQ(x->body().size(), 900'000U);
    x->respond(200, "", std::string(3'000'000, 'a'));
    turns.until([&] { return v->read().size() > 3'000'000U; });
    EXPECT_THAT(v->read(), testing::EndsWith(std::string(3'000'000, 'a')));
    EXPECT_EQ(x->backlog(), 0U);
}

TEST_F(server_tls, streams_to_a_slow_reader_every_byte_in_order) {
    auto v = visit({}, 4096);
    const auto x = open_secure(*v, get("/held"));
    noting_observer observer;
    x->observe(&observer);
    x->start_stream(200, "");
    std::string expected;
    for (int i = 0; x->backlog() < 300'000; ++i) {
        const std::string piece = std::to_string(i) + std::string(static_cast<std::size_t>(i % 3000), 'p');
        x->write(piece);
        expected += piece;
    }
    x->end();
    turns.until([&] { return v->read().ends_with("\r\n0\r\n\r\n"); });
    codec::http1::parser parser(codec::http1::message_kind::response);
    std::string_view bytes = v->read();
    std::string body;
    for (auto e = parser.next(bytes); e.type != codec::http1::event_type::complete; e = parser.next(bytes)) {
        ASSERT_NE(e.type, codec::http1::event_type::error);
        ASSERT_NE(e.type, codec::http1::event_type::need_more);
        if (e.type == codec::http1::event_type::body) body += e.body;
    }
    EXPECT_EQ(body, expected);
}

TEST_F(server_tls, gives_up_a_reader_that_stalls) {
    auto v = visit({}, 4096);
    const auto x = open_secure(*v, get("/held"));
    noting_observer observer;
    x->observe(&observer);
    x->start_stream(200, "");
    flood(*x);
    turns.pass(119s);
    EXPECT_TRUE(observer.heard.empty());
    turns.pass(1s);
    EXPECT_THAT(observer.heard, ElementsAre("stalled"));
}

TEST_F(server_tls, makes_one_record_of_small_pieces) {
    auto v = visit();
    const auto x = open_secure(*v, get("/held"));
    x->start_stream(200, "");
    x->write("first");
    await(*v, "first");
    const auto before = v->socket().descriptor();
    x->write("data: second\n\n");
    char raw[256];
    turns.turn();
    const auto n = ::recv(before, raw, sizeof raw, MSG_PEEK);
    ASSERT_GT(n, 5);
    const auto record = (static_cast<unsigned char>(raw[3]) << 8U) | static_cast<unsigned char>(raw[4]);
    EXPECT_EQ(n, 5 + record);
}

TEST_F(server_tls, tells_an_orderly_end) {
    auto v = visit();
    v->send(get("/now", "Connection: close\r\n"));
    turns.until([&] { return v->ended() || v->failed(); });
    EXPECT_TRUE(v->ended());
    auto idle = visit();
    turns.pass(30s);
    turns.until([&] { return idle->ended() || idle->failed(); });
    EXPECT_TRUE(idle->ended());
}

TEST_F(server_tls, does_not_end_what_is_broken_off) {
    auto v = visit();
    const auto x = open_secure(*v, "GET /held HTTP/1.0\r\n\r\n"); // its answer ends with the connection
    x->start_stream(200, "");
    x->write("half");
    await(*v, "half");
    x->abort();
    turns.until([&] { return v->ended() || v->failed(); });
    EXPECT_TRUE(v->failed());
}

TEST_F(server_tls, hears_of_clients_that_leave) {
    for (const bool orderly : {true, false}) {
        auto v = visit();
        const auto x = open_secure(*v, get("/held"));
        noting_observer observer;
        x->observe(&observer);
        if (orderly) v->shut_down();
        v->socket().close();
        turns.until([&] { return !observer.heard.empty(); });
        EXPECT_THAT(observer.heard, ElementsAre("gone"));
    }
}

TEST_F(server_tls, answers_a_client_that_has_finished_sending) {
    auto v = visit({}, 4096);
    const auto x = open_secure(*v, get("/held"));
    x->respond(200, "", std::string(3'000'000, 'a'));
    v->shut_down();
    turns.until([&] { return v->socket().descriptor() >= 0 && x->backlog() < 2'900'000; });
    EXPECT_EQ(handler.seen.size(), 1U);
}

TEST_F(server_tls, gives_a_handshake_the_time_of_a_head) {
    auto silent = client();
    auto half = client();
    half.send("\x16\x03\x01\x02");
    turns.turn();
    turns.pass(29'999ms);
    EXPECT_FALSE(silent.ended());
    EXPECT_FALSE(half.ended());
    turns.pass(1ms);
    EXPECT_TRUE(silent.ended());
    EXPECT_TRUE(half.ended());
}

TEST_F(server_tls, forgets_clients_that_leave_during_the_handshake) {
    RecordProperty("rules", "HTTP-TLS-012");
    auto gone = client();
    gone.send("\x16\x03\x01\x02");
    turns.turn();
    EXPECT_TRUE(on.timers().armed(timer_kind::client_head));
    gone.close();
    turns.turn();
    EXPECT_FALSE(on.timers().armed(timer_kind::client_head));
    auto reset = client();
    turns.turn();
    reset.reset();
    turns.turn();
    EXPECT_FALSE(on.timers().armed(timer_kind::client_head));
    EXPECT_FALSE(on.timers().armed(timer_kind::linger));
}

TEST_F(server_tls, tells_plain_http_where_it_is) {
    for (const std::string& request :
         {get("/now"), post("/now", std::string(5000, 'b')), "CONNECT h:443 HTTP/1.1\r\n\r\n"s}) {
        auto plain = client();
        plain.send(request);
        turns.until([&] { return plain.ended(); });
        EXPECT_THAT(plain.read(), StartsWith("HTTP/1.1 400 "));
        EXPECT_THAT(plain.read(), HasSubstr("connection: close"));
        EXPECT_FALSE(plain.was_reset());
    }
    EXPECT_TRUE(handler.seen.empty());
}

TEST_F(server_tls, closes_what_is_neither) {
    auto other = client();
    other.send("SSH-2.0-OpenSSH_9.2\r\n");
    turns.until([&] { return other.ended(); });
    EXPECT_FALSE(other.was_reset());
    EXPECT_EQ(other.read(), "");
}

TEST_F(server_tls, drains_handshakes_at_once) {
    auto half = client();
    turns.turn();
    bool done = false;
    port.drain([&] { done = true; });
    turns.turn();
    EXPECT_TRUE(done);
    EXPECT_TRUE(half.ended());
}

TEST_F(server_tls, shows_a_new_certificate_to_new_clients) {
    auto before = visit();
    port.use_certificate(context_of(tls_identity("DNS:new.host")));
    auto after = visit({.known = before->ticket()});
    EXPECT_FALSE(after->recognized()) << "a ticket would vouch for the old certificate";
    for (auto* v : {before.get(), after.get()}) {
        v->send(get("/now"));
        await(*v, "/now");
    }
}

/// Files that cannot serve.
class server_certificate : public server_tls {
protected:
    std::string complaint(const std::string& one, const std::string& other) {
        const auto made = make_server_context(one, other);
        std::string all;
        if (const auto* found = std::get_if<std::vector<certificate_problem>>(&made))
            for (const auto& p : *found)
                all += (all.empty() ? "" : "; ")
                       + ((p.of == certificate_problem::file::key ? "key " : "certificate ") + p.message);
        return all;
    }
    void write(const std::string& path, std::string_view text) {
        std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"), std::fclose);
        std::fwrite(text.data(), 1, text.size(), file.get());
    }

    const std::string certificate = folder + "/certificate.pem";
    const std::string key = folder + "/key.pem";
};

TEST_F(server_certificate, must_be_readable_and_fit_together) {
    EXPECT_EQ(complaint(certificate, key), "");
    EXPECT_EQ(complaint(folder + "/none", key),
              "certificate cannot be read: " + folder + "/none: No such file or directory");
    EXPECT_EQ(complaint(folder, key), "certificate cannot be read: " + folder + ": Is a directory");
    EXPECT_EQ(complaint(certificate, folder + "/none"),
              "key cannot be read: " + folder + "/none: No such file or directory");
    EXPECT_EQ(complaint(folder + "/one", folder + "/two"),
              "certificate cannot be read: " + folder + "/one: No such file or directory; key cannot be read: " + folder
                  + "/two: No such file or directory");
    EXPECT_EQ(complaint(key, key), "certificate must hold a certificate in PEM: " + key);
    EXPECT_EQ(complaint(key, certificate), "certificate must hold a certificate in PEM: " + key
                                               + "; key must hold a private key in PEM: " + certificate);
    EXPECT_EQ(complaint(certificate, certificate), "key must hold a private key in PEM: " + certificate);
    write(folder + "/empty", "");
    EXPECT_EQ(complaint(folder + "/empty", key), "certificate must hold a certificate in PEM: " + folder + "/empty");
    write(folder + "/bad", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    EXPECT_THAT(complaint(folder + "/bad", key), StartsWith("certificate must hold a certificate that can be used ("));
    identity.write_key(folder + "/locked", "secret");
    EXPECT_EQ(complaint(certificate, folder + "/locked"),
              "key must hold a private key without a passphrase: " + folder + "/locked");
    tls_identity("DNS:other").write_key(folder + "/other");
    EXPECT_EQ(complaint(certificate, folder + "/other"),
              "key must hold the private key of the first certificate in certificateFile: " + folder + "/other");
}

} // namespace
} // namespace turnout::net
