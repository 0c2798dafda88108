#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "codec/websocket/handshake.hpp"

namespace turnout::codec::websocket {
namespace {

constexpr std::string_view key = "dGhlIHNhbXBsZSBub25jZQ==";

/// The outcome for a request with these lines: 101, or the status of the refusal.
int status_for(const std::string& lines, std::string_view start = "GET /v1/responses HTTP/1.1") {
    http1::parser parser(http1::message_kind::request);
    const std::string bytes = std::string(start) + "\r\nHost: h\r\n" + lines + "\r\n";
    std::string_view rest = bytes;
    if (parser.next(rest).type != http1::event_type::head) return 0;
    const auto result = read_handshake(parser.current());
    if (const auto* problem = std::get_if<handshake_problem>(&result)) {
        EXPECT_FALSE(problem->message.empty());
        return problem->status;
    }
    EXPECT_EQ(std::get<std::string_view>(result), key);
    return 101;
}

std::string lines(std::string_view without = {}, std::string_view instead = {}) {
    std::string out;
    for (const std::string_view line : {"Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}) {
        const bool left_out = !without.empty() && line.starts_with(without);
        if (left_out && instead.empty()) continue;
        out.append(left_out ? instead : line).append("\r\n");
    }
    return out;
}

TEST(websocket_handshake, takes_what_the_standard_says) {
    RecordProperty("rules", "WS-HAND-001");
    EXPECT_EQ(status_for(lines()), 101);
    EXPECT_EQ(status_for(lines("Upgrade", "upgrade: h2c, WebSocket")), 101);
    EXPECT_EQ(status_for(lines("Connection", "Connection: keep-alive , upgrade")), 101);
    EXPECT_EQ(status_for(lines("Connection", "Connection: keep-alive\r\nConnection: Upgrade")), 101);
    EXPECT_EQ(status_for(lines() + "Sec-WebSocket-Protocol: a, b\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"),
              101);
}

TEST(websocket_handshake, says_what_is_wrong) {
    RecordProperty("rules", "WS-HAND-002 WS-HAND-003");
    EXPECT_EQ(status_for(lines("Upgrade")), 426);
    EXPECT_EQ(status_for(lines("Upgrade", "Upgrade: websockets")), 426);
    EXPECT_EQ(status_for(lines(), "POST /v1/responses HTTP/1.1"), 426);
    EXPECT_EQ(status_for(lines(), "GET /v1/responses HTTP/1.0"), 400);
    EXPECT_EQ(status_for(lines("Connection")), 400);
    EXPECT_EQ(status_for(lines("Connection", "Connection: upgraded")), 400);
    EXPECT_EQ(status_for(lines("Sec-WebSocket-Version")), 400);
    EXPECT_EQ(status_for(lines("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8")), 426);
    EXPECT_EQ(status_for(lines("Sec-WebSocket-Version", "Sec-WebSocket-Version: 14")), 426);
    for (const std::string_view bad : {"", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQQ=",
                                       "dGhlIHNhbXBsZSBub2_jZQ==", "dGhlIHNhbXBsZSBub25jZQ==="})
        EXPECT_EQ(status_for(lines("Sec-WebSocket-Key", "Sec-WebSocket-Key: " + std::string(bad))), 400) << bad;
    EXPECT_EQ(status_for(lines("Sec-WebSocket-Key")), 400);
    for (const std::string_view twice : {"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version: 13"})
        EXPECT_EQ(status_for(lines() + std::string(twice) + "\r\n"), 400) << twice;
}

} // namespace
} // namespace turnout::codec::websocket
