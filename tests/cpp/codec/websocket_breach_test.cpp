#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "codec/websocket/framing.hpp"
#include "websocket_frames.hpp"

namespace turnout::codec::websocket {
namespace {

using testing::ElementsAre;

/// The header of a masked text whose size is written in the form of this code.
std::string sized(unsigned code, std::uint64_t size) {
    std::string out{static_cast<char>(text), static_cast<char>(0x80U | code)};
    for (unsigned byte = code == 126 ? 2 : 8; byte-- > 0;) out += static_cast<char>(size >> (8 * byte) & 0xFFU);
    return out.append(4, '\0');
}

struct broken {
    const char* title;
    std::string bytes;
    std::uint16_t code;
};

TEST(websocket_breach, tells_who_breaks_the_protocol_why) {
    RecordProperty("rules", "WS-FRAME-002 WS-FRAME-003");
    const std::vector<broken> cases{
        {"not masked", frame(text, "hi", false), close_code::protocol_error},
        {"reserved bit, as compression sets it", frame(text | 0x40U, "hi"), close_code::protocol_error},
        {"unknown opcode", frame(0x83, "hi"), close_code::protocol_error},
        {"continues nothing", frame(last, "hi"), close_code::protocol_error},
        {"a text within a text", frame(text_begin, "hi") + frame(text, "hi"), close_code::protocol_error},
        {"an unknown control frame", frame(0x8B, "hi"), close_code::protocol_error},
        {"a ping in pieces", frame(0x09, "hi"), close_code::protocol_error},
        {"a ping of 126 bytes", frame(ping, std::string(126, 'p')), close_code::protocol_error},
        {"a close frame in pieces", frame(0x08, farewell_of(1000)), close_code::protocol_error},
        {"a close frame of 126 bytes", frame(bye, farewell_of(1000, std::string(124, 'p'))),
         close_code::protocol_error},
        {"a close frame of one byte", frame(bye, "x"), close_code::protocol_error},
        {"a code that is never sent", frame(bye, farewell_of(close_code::abnormal)), close_code::protocol_error},
        {"a code that nobody has registered", frame(bye, farewell_of(2999)), close_code::protocol_error},
        {"125 bytes announced in two bytes", sized(126, 125), close_code::protocol_error},
        {"65,535 bytes announced in eight", sized(127, 65535), close_code::protocol_error},
        {"a pong announced in eight", std::string(1, '\x8A') + sized(127, 65536).substr(1), close_code::protocol_error},
        {"not UTF-8", frame(text, "\xFF"), close_code::not_utf8},
        {"half a character", frame(text, "\xC3"), close_code::not_utf8},
        {"a reason that is not UTF-8", frame(bye, farewell_of(1000, "\xFF")), close_code::not_utf8},
        {"binary", frame(binary, "hi"), close_code::unsupported_data},
    };
    for (const auto& c : cases) {
        for (std::size_t cut = 0; cut <= c.bytes.size(); ++cut) {
            server s;
            s.feed(std::string_view(c.bytes).substr(0, cut));
            s.feed(c.bytes.substr(cut) + frame(text, "more") + frame(bye, farewell_of(1000)));
            EXPECT_TRUE(s.frames.closing()) << c.title;
            EXPECT_EQ(s.frames.sent_code(), c.code) << c.title;
            EXPECT_THAT(s.messages(), ElementsAre()) << c.title;
            EXPECT_TRUE(s.frames.output().starts_with(server_frame(
                bye, farewell_of(c.code, c.code == close_code::unsupported_data ? "text messages only" : ""))))
                << c.title;
            EXPECT_EQ(s.frames.output().find('\x88', 1), std::string::npos)
                << "a close frame is sent once: " << c.title;
        }
    }
}

TEST(websocket_breach, tells_upstreams_as_well) {
    RecordProperty("rules", "WS-UP-010");
    const std::vector<broken> cases{
        {"masked", frame(text, "hi"), close_code::protocol_error},
        {"reserved bit", server_frame(text | 0x40U, "hi"), close_code::protocol_error},
        {"unknown opcode", server_frame(0x83, "hi"), close_code::protocol_error},
        {"continues nothing", server_frame(last, "hi"), close_code::protocol_error},
        {"a ping in pieces", server_frame(0x09, "hi"), close_code::protocol_error},
        {"a ping of 126 bytes", server_frame(ping, std::string(126, 'p')), close_code::protocol_error},
        {"a close frame of one byte", server_frame(bye, "x"), close_code::protocol_error},
        {"125 bytes announced in two bytes", std::string("\x81\x7E\0\x7D", 4), close_code::protocol_error},
        {"not UTF-8", server_frame(text, "\xFF"), close_code::not_utf8},
        {"binary", server_frame(binary, "hi"), close_code::unsupported_data},
    };
    for (const auto& c : cases) {
        base::splitmix masks(1);
        framing client(framing::side::client, most, &masks);
        client.feed(c.bytes + server_frame(text, "more"));
        server s;
        s.feed(client.output());
        ASSERT_TRUE(s.frames.left().has_value()) << c.title;
        EXPECT_EQ(s.frames.left()->code, c.code) << c.title;
        EXPECT_FALSE(client.take().has_value()) << c.title;
    }
}

TEST(websocket_breach, takes_what_is_just_within_the_protocol) {
    RecordProperty("rules", "WS-FRAME-002");
    server s;
    s.feed(frame(ping, std::string(125, 'p')) + frame(text, std::string(125, 'a'))
           + frame(text, std::string(126, 'b')));
    EXPECT_EQ(s.messages().size(), 2U);
    EXPECT_FALSE(s.frames.closing());
    server large{70'000};
    large.feed(frame(text, std::string(65'535, 'a')) + sized(127, 65'536) + std::string(65'536, 'b'));
    EXPECT_EQ(large.messages().size(), 2U);
    EXPECT_FALSE(large.frames.closing());
    for (const std::string& reason : {std::string(), std::string(123, 'r')}) {
        server left;
        left.feed(frame(bye, farewell_of(1000, reason)));
        EXPECT_EQ(left.frames.sent_code(), close_code::normal);
    }
}

TEST(websocket_breach, answers_codes_that_were_registered_since) {
    RecordProperty("rules", "WS-CLOSE-001 WS-UP-008");
    for (const std::uint16_t code : std::to_array<std::uint16_t>({1011, 1012, 1013, 1014, 1015})) {
        const bool registered = code != 1015;
        std::string masked = frame(bye, farewell_of(code, "later"));
        for (std::size_t i = 0; i < 7; ++i)
            masked[6 + i] = static_cast<char>(masked[6 + i] ^ (masked[2 + i % 4] = "key!"[i % 4]));
        server s;
        s.feed(masked + frame(text, "late"));
        base::splitmix masks(1);
        framing client(framing::side::client, most, &masks);
        client.feed(server_frame(bye, farewell_of(code, "later")) + server_frame(text, "late"));
        for (framing* end : {&s.frames, &client}) {
            EXPECT_EQ(end->left().has_value(), registered) << code;
            EXPECT_EQ(end->left().value_or(farewell{}).code, registered ? code : close_code::none);
            EXPECT_EQ(end->left().value_or(farewell{}).reason, registered ? "later" : "");
            EXPECT_EQ(end->sent_code(), registered ? code : close_code::protocol_error);
            EXPECT_FALSE(end->take().has_value());
        }
        server first;
        first.frames.close(close_code::going_away);
        first.feed(frame(bye, farewell_of(code)));
        EXPECT_EQ(first.frames.left().has_value(), registered) << code;
        EXPECT_EQ(first.frames.sent_code(), close_code::going_away);
    }
    server garbled;
    garbled.feed(frame(bye, farewell_of(1012, "\xFF")));
    EXPECT_FALSE(garbled.frames.left().has_value());
    EXPECT_NE(garbled.frames.sent_code(), 1012);
    server broken_before;
    broken_before.feed(frame(0x09, "hi") + frame(bye, farewell_of(1012)));
    EXPECT_FALSE(broken_before.frames.left().has_value());
}

} // namespace
} // namespace turnout::codec::websocket
