#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "codec/websocket/handshake.hpp"
#include "net/calling.hpp"
#include "net/digest.hpp"
#include "net/upstream_websocket.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t most = 300;

/// Writes down what it is told, and does what the test says at each.
struct noting_user final : upstream_websocket_user {
    void on_head(const codec::http1::head& head) override { note("head " + std::to_string(head.status())); }
    void on_body(std::string_view bytes) override { note("body " + std::string(bytes)); }
    void on_complete() override { note("complete"); }
    void on_failure(failure_origin why, std::string_view text) override {
        origin = why;
        detail = text;
        note("failure");
    }
    void on_open() override { note("open"); }
    void on_message(std::string& text) override { note(text); }
    void on_parts_read() override { note("read"); }
    void on_left(std::uint16_t code, std::string_view reason) override {
        note("left " + std::to_string(code) + ' ' + std::string(reason));
    }

    void note(std::string word) {
        heard.push_back(std::move(word));
        if (then) then(heard.back());
    }
    std::vector<std::string> take() { return std::exchange(heard, {}); }

    std::vector<std::string> heard;
    failure_origin origin = failure_origin::gateway;
    std::string detail;
    std::function<void(const std::string&)> then;
};

/// A frame of a server, of less than 64 KiB.
std::string frame(unsigned first, std::string_view payload) {
    std::string out(1, static_cast<char>(first));
    if (payload.size() < 126) {
        out += static_cast<char>(payload.size());
    } else {
        out += static_cast<char>(126);
        out += static_cast<char>(payload.size() >> 8U);
        out += static_cast<char>(payload.size() & 0xFFU);
    }
    return out.append(payload);
}

std::string text(std::string_view payload) { return frame(0x81, payload); }

/// What a client's frame of less than 126 bytes carries, and its first byte before that.
std::string unmasked(std::string_view bytes) {
    std::string out(1, bytes[0]);
    EXPECT_EQ(static_cast<unsigned char>(bytes[1]), 0x80U | (bytes.size() - 6));
    for (std::size_t i = 6; i < bytes.size(); ++i) out += static_cast<char>(bytes[i] ^ bytes[2 + (i - 6) % 4]);
    return out;
}

bool drops_news(std::string_view message) { return message == "news"; }

class upstream_websockets : public calling {
protected:
    static constexpr std::string_view head = "GET /v1/x HTTP/1.1\r\nhost: h\r\n";

    void open() {
        socket = client.make_websocket(here, std::string(head), most);
        socket->start(user);
    }
    /// Accepts the next connection and waits for the whole handshake on it, which is `asked` then.
    void take_handshake() {
        turns.until([&] { return port.accept(up); });
        turns.until([&] { return up.read().ends_with("\r\n\r\n"); });
        asked = up.take();
        const auto begin = asked.find("sec-websocket-key: ") + 19;
        accept = sha1_base64(asked.substr(begin, 24) + std::string(codec::websocket::accept_suffix));
    }
    std::string switching() const {
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
               + accept + "\r\n";
    }
    void answer(std::string_view bytes) {
        up.send(bytes);
        turns.turn();
    }
    void upgraded() {
        open();
        take_handshake();
        answer(switching() + "\r\n");
        EXPECT_THAT(user.take(), ElementsAre("open"));
    }

    noting_user user;
    upstream_websocket_ptr socket;
    raw_socket up;
    std::string asked;
    std::string accept;
};

TEST_F(upstream_websockets, shakes_hands_with_a_key_of_its_own) {
    RecordProperty("rules", "WS-UP-003");
    open();
    EXPECT_THAT(user.heard, IsEmpty());
    take_handshake();
    EXPECT_TRUE(asked.starts_with(std::string(head)
                                  + "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"))
        << asked;
    const auto first = accept;
    for (const char c : switching() + "\r\n" + text("early")) answer({&c, 1});
    EXPECT_THAT(user.heard, ElementsAre("open", "early", "read"));
    open();
    take_handshake();
    EXPECT_NE(accept, first);
}

TEST_F(upstream_websockets, takes_no_other_upgrade) {
    RecordProperty("rules", "WS-UP-003");
    const std::string start = "HTTP/1.1 101 Switching Protocols\r\n";
    for (const std::string kind : {"upgrade", "connection", "digest", "none", "extension", "protocol"}) {
        open();
        take_handshake();
        const auto right = "Sec-WebSocket-Accept: " + accept + "\r\n";
        if (kind == "upgrade") answer(start + "Upgrade: h2c\r\nConnection: Upgrade\r\n" + right + "\r\n");
        if (kind == "connection") answer(start + "Upgrade: websocket\r\n" + right + "\r\n");
        if (kind == "digest") {
            accept[0] = accept[0] == 'a' ? 'b' : 'a';
            answer(switching() + "\r\n");
        }
        if (kind == "none") answer(start + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        if (kind == "extension") answer(switching() + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        if (kind == "protocol") answer(switching() + "Sec-WebSocket-Protocol: x\r\n\r\n");
        EXPECT_THAT(user.take(), ElementsAre("failure")) << kind;
        EXPECT_EQ(user.origin, failure_origin::malformed_http) << kind;
        EXPECT_TRUE(up.ended()) << kind;
    }
}

TEST_F(upstream_websockets, tells_the_answer_that_refuses) {
    RecordProperty("rules", "WS-UP-005");
    for (const std::string framing :
         {"Content-Length: 4\r\n\r\nno t", "Transfer-Encoding: chunked\r\n\r\n4\r\nno t\r\n0\r\n\r\n"}) {
        open();
        take_handshake();
        answer("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 429 Too Many Requests\r\n" + framing);
        EXPECT_THAT(user.take(), ElementsAre("head 429", "body no t", "complete"));
        EXPECT_TRUE(up.ended());
    }
    open();
    take_handshake();
    answer("HTTP/1.1 500 No\r\n\r\nx");
    up.close();
    turns.turn();
    EXPECT_THAT(user.take(), ElementsAre("head 500", "body x", "complete"));
    open();
    take_handshake();
    answer("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nx");
    up.close();
    turns.turn();
    EXPECT_THAT(user.take(), ElementsAre("head 500", "body x", "failure"));
    EXPECT_EQ(user.origin, failure_origin::body_truncated);
}

TEST_F(upstream_websockets, says_what_became_of_a_handshake) {
    RecordProperty("rules", "WS-UP-005");
    open();
    take_handshake();
    up.close();
    turns.turn();
    EXPECT_THAT(user.take(), ElementsAre("failure"));
    EXPECT_EQ(user.origin, failure_origin::connection_lost);
    open();
    take_handshake();
    answer("nonsense\r\n\r\n");
    EXPECT_THAT(user.take(), ElementsAre("failure"));
    EXPECT_EQ(user.origin, failure_origin::malformed_http);
    port.close();
    open();
    turns.until([&] { return !user.heard.empty(); });
    EXPECT_THAT(user.take(), ElementsAre("failure"));
    EXPECT_EQ(user.origin, failure_origin::connect_failed);
}

TEST_F(upstream_websockets, masks_what_it_sends) {
    const std::array<std::string_view, 2> hello{"hel", "lo"};
    upgraded();
    socket->send(hello);
    turns.turn();
    EXPECT_TRUE(socket->written_at());
    const auto first = up.take();
    EXPECT_EQ(unmasked(first), "\x81hello");
    socket->send(hello);
    turns.turn();
    const auto second = up.take();
    EXPECT_EQ(unmasked(second), "\x81hello");
    EXPECT_NE(first, second);
}

TEST_F(upstream_websockets, says_when_a_message_has_left) {
    upgraded();
    const std::string text(std::size_t{32} << 20U, 'x');
    const std::array<std::string_view, 1> pieces{text};
    socket->send(pieces);
    EXPECT_FALSE(socket->written_at());
    turns.until([&] {
        up.take();
        return socket->written_at().has_value();
    });
}

TEST_F(upstream_websockets, masks_a_message_as_it_is_taken) {
    RecordProperty("rules", "WS-UP-016");
    constexpr std::size_t part = 65'536;
    upgraded();
    std::string text;
    while (text.size() < std::size_t{32} << 20U) text += static_cast<char>('a' + text.size() % 23);
    const std::string_view whole = text;
    const std::array<std::string_view, 4> pieces{whole.substr(0, part - 1), whole.substr(part - 1, 1),
                                                 whole.substr(part, part + 1), whole.substr(2 * part + 1)};
    socket->send(pieces);
    EXPECT_FALSE(socket->written_at());
    EXPECT_GT(socket->backlog(), 0);
    EXPECT_LE(socket->backlog(), part + 14) << "the header, and what is masked at a time";
    answer(frame(0x89, "there?"));
    std::string got;
    while (!socket->written_at()) {
        turns.turn();
        EXPECT_LE(socket->backlog(), part);
        got += up.take();
    }
    turns.turn();
    got += up.take();
    ASSERT_EQ(got.size(), 14 + text.size() + 12);
    EXPECT_EQ(got.substr(0, 2), "\x81\xFF");
    std::string clear = got.substr(14, text.size());
    for (std::size_t i = 0; i < clear.size(); ++i) clear[i] = static_cast<char>(clear[i] ^ got[10 + i % 4]);
    EXPECT_TRUE(clear == text);
    EXPECT_EQ(unmasked(std::string_view(got).substr(14 + text.size())), "\x8Athere?") << "which waited for the message";
    answer(frame(0x81, "a"));
    EXPECT_THAT(user.take(), ElementsAre("a", "read"));
}

TEST_F(upstream_websockets, reads_a_message_no_more_once_it_is_closed) {
    RecordProperty("rules", "WS-UP-016");
    for (const bool by_upstream : {false, true}) {
        upgraded();
        auto text = std::make_unique<std::string>(std::size_t{32} << 20U, 'x');
        auto pieces = std::make_unique<std::array<std::string_view, 1>>(std::array<std::string_view, 1>{*text});
        socket->send(*pieces);
        if (by_upstream)
            answer(frame(0x09, "in pieces"));
        else
            socket->close();
        EXPECT_FALSE(socket->is_open());
        pieces = nullptr;
        text = nullptr;
        turns.until([&] {
            up.take();
            return up.ended();
        });
        EXPECT_THAT(user.take(), by_upstream ? testing::ElementsAreArray<std::string>({"failure"})
                                             : testing::ElementsAreArray<std::string>({}));
    }
}

TEST_F(upstream_websockets, owes_no_more_pongs_while_a_message_leaves) {
    RecordProperty("rules", "WS-UP-010");
    // Each of these counts as 64 bytes while it waits.
    for (const int pings : {1024, 1025}) {
        upgraded();
        const std::string text(std::size_t{32} << 20U, 'x');
        const std::array<std::string_view, 1> pieces{text};
        socket->send(pieces);
        std::string asked_for;
        for (int i = 0; i < pings; ++i) asked_for += frame(0x89, "");
        answer(asked_for);
        EXPECT_EQ(socket->is_open(), pings == 1024);
        socket->close();
        user.take();
    }
}

TEST_F(upstream_websockets, tells_messages_as_they_come) {
    upgraded();
    answer(text("a") + text("b") + frame(0x01, "c"));
    EXPECT_THAT(user.take(), ElementsAre("a", "b", "read"));
    answer(frame(0x89, "ping") + frame(0x8A, "pong") + frame(0x80, "d"));
    EXPECT_THAT(user.take(), ElementsAre("cd", "read"));
    EXPECT_EQ(unmasked(up.take()), "\x8Aping");
}

TEST_F(upstream_websockets, stops_reading_while_paused) {
    upgraded();
    socket->pause();
    answer(text("a")); // whoever waits to read does so once more
    EXPECT_THAT(user.take(), IsEmpty());
    answer(text("b"));
    EXPECT_THAT(user.take(), IsEmpty());
    socket->resume();
    turns.turn();
    EXPECT_THAT(user.take(), ElementsAre("a", "b", "read"));
}

TEST_F(upstream_websockets, tells_how_it_was_left) {
    RecordProperty("rules", "WS-UP-008");
    using namespace std::string_literals;
    const std::vector<std::pair<std::string, std::string>> cases{
        {frame(0x88, "\x0b\xb8gone"), "left 3000 gone"}, {frame(0x88, ""), "left 1005 "}, {"", "left 1006 "}};
    for (const auto& [bytes, heard] : cases) {
        upgraded();
        answer(text("a") + bytes);
        if (bytes.empty()) up.close();
        turns.turn();
        EXPECT_THAT(user.take(), ElementsAre("a", "read", heard));
        EXPECT_FALSE(socket->is_open());
    }
}

TEST_F(upstream_websockets, takes_no_frames_that_break_the_protocol) {
    RecordProperty("rules", "WS-UP-010");
    for (const auto& [bytes, why] : std::vector<std::pair<std::string, failure_origin>>{
             {frame(0x82, "x"), failure_origin::malformed_http},
             {frame(0xC1, "x"), failure_origin::malformed_http},
             {frame(0x80, "x"), failure_origin::malformed_http},
             {text("\xFF"), failure_origin::malformed_http},
             {text(std::string(most + 1, 'x')), failure_origin::malformed_body}}) {
        upgraded();
        answer(bytes);
        EXPECT_THAT(user.take(), ElementsAre("failure"));
        EXPECT_EQ(user.origin, why);
        EXPECT_FALSE(socket->is_open());
        EXPECT_TRUE(up.ended());
    }
    upgraded();
    answer(text(std::string(most, 'x')));
    EXPECT_THAT(user.take(), ElementsAre(std::string(most, 'x'), "read"));
}

TEST_F(upstream_websockets, owes_no_more_pongs_than_it_should) {
    RecordProperty("rules", "WS-UP-010");
    upgraded();
    std::string pings;
    for (int i = 0; i < 400; ++i) pings += frame(0x89, std::string(125, 'p'));
    // Its own end of the connection takes some megabytes before anything is owed.
    turns.until([&] {
        up.send(pings);
        turns.turn();
        return !user.heard.empty();
    });
    EXPECT_THAT(user.take(), ElementsAre("failure"));
    EXPECT_EQ(user.origin, failure_origin::malformed_http);
}

TEST_F(upstream_websockets, serves_one_user_after_the_other) {
    RecordProperty("rules", "WS-UP-002");
    upgraded();
    socket->leave(drops_news);
    answer(frame(0x89, "still there"));
    EXPECT_EQ(unmasked(up.take()), "\x8Astill there");
    noting_user next;
    EXPECT_TRUE(socket->resume_use(next));
    answer(text("a"));
    EXPECT_THAT(next.heard, ElementsAre("a", "read"));
    EXPECT_THAT(user.heard, IsEmpty());
}

TEST_F(upstream_websockets, closes_on_what_nobody_asked_for) {
    RecordProperty("rules", "WS-UP-015");
    upgraded();
    user.then = [&](const std::string& word) {
        if (word == "last") socket->leave(drops_news);
    };
    answer(text("last") + text("more"));
    EXPECT_THAT(user.take(), ElementsAre("last"));
    EXPECT_FALSE(socket->is_open());
    EXPECT_EQ(unmasked(up.take()), "\x88\x03\xE8");
    EXPECT_TRUE(up.ended());
}

TEST_F(upstream_websockets, passes_over_what_may_be_dropped) {
    RecordProperty("rules", "WS-UP-014");
    upgraded();
    user.then = [&](const std::string& word) {
        if (word == "last") socket->leave(drops_news);
    };
    answer(text("last") + text("news") + frame(0x01, "ne"));
    answer(frame(0x89, "") + frame(0x80, "ws") + text("news"));
    EXPECT_THAT(user.take(), ElementsAre("last"));
    EXPECT_EQ(unmasked(up.take()), "\x8A");
    up.send(text("news")); // which is there, but was not read, when the next turn begins
    noting_user next;
    ASSERT_TRUE(socket->resume_use(next));
    answer(text("news") + text("a"));
    EXPECT_THAT(next.heard, ElementsAre("news", "a", "read"));
}

TEST_F(upstream_websockets, reads_no_more_than_a_little_before_it_serves_again) {
    RecordProperty("rules", "WS-UP-014 WS-UP-015");
    for (const int looks : {4, 5}) {
        upgraded();
        socket->leave(drops_news);
        // Each takes 4,096 bytes, and one more has to find nothing.
        std::string bytes;
        while (bytes.size() < 4096U * static_cast<unsigned>(looks)) bytes += text("news") + frame(0x8A, "");
        ASSERT_EQ(bytes.size() % 4096, 0);
        up.send(bytes);
        noting_user next;
        EXPECT_EQ(socket->resume_use(next), looks == 4);
        EXPECT_EQ(socket->is_open(), looks == 4);
        socket->close();
    }
}

TEST_F(upstream_websockets, looks_before_it_serves_again) {
    RecordProperty("rules", "WS-UP-009 WS-UP-015");
    for (const std::string& bytes :
         {text("late"), text("news").substr(0, 4), text("news").substr(0, 1), frame(0x01, ""),
          text("news") + text("late"), frame(0x88, "\x03\xe9"), std::string()}) {
        upgraded();
        socket->leave(drops_news);
        up.send(bytes);
        if (bytes.empty()) up.close();
        noting_user next;
        EXPECT_FALSE(socket->resume_use(next));
        turns.turn();
        EXPECT_THAT(next.heard, IsEmpty());
        EXPECT_FALSE(socket->is_open());
    }
}

TEST_F(upstream_websockets, says_goodbye) {
    RecordProperty("rules", "WS-UP-012");
    upgraded();
    socket->close();
    EXPECT_EQ(unmasked(up.take()), "\x88\x03\xE8");
    EXPECT_TRUE(up.ended());
    open();
    take_handshake();
    socket->close();
    turns.turn();
    EXPECT_TRUE(up.ended());
    open();
    socket->close();
    turns.turn();
    EXPECT_THAT(user.heard, IsEmpty());
}

} // namespace
} // namespace turnout::net
