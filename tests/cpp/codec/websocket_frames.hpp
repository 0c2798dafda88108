#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/websocket/framing.hpp"

// Frames as peers send them, for tests.
namespace turnout::codec::websocket {

inline constexpr std::uint64_t most = 1000;

/// A masked frame whose payload is shorter than 64 KiB; a mask of zeros leaves it readable.
inline std::string frame(unsigned first, std::string_view payload, bool masked = true) {
    std::string out(1, static_cast<char>(first));
    const unsigned mask = masked ? 0x80U : 0U;
    if (payload.size() < 126) {
        out += static_cast<char>(mask | payload.size());
    } else {
        out += static_cast<char>(mask | 126U);
        out += static_cast<char>(payload.size() >> 8U);
        out += static_cast<char>(payload.size() & 0xFFU);
    }
    if (masked) out.append(4, '\0');
    return out.append(payload);
}

inline constexpr unsigned text = 0x81;
inline constexpr unsigned text_begin = 0x01;
inline constexpr unsigned more = 0x00;
inline constexpr unsigned last = 0x80;
inline constexpr unsigned binary = 0x82;
inline constexpr unsigned bye = 0x88;
inline constexpr unsigned ping = 0x89;
inline constexpr unsigned pong = 0x8A;

inline std::string farewell_of(std::uint16_t code, std::string_view reason = {}) {
    return std::string{static_cast<char>(code >> 8U), static_cast<char>(code & 0xFFU)}.append(reason);
}

inline std::string server_frame(unsigned first, std::string_view payload) { return frame(first, payload, false); }

struct server {
    explicit server(std::uint64_t most_bytes = most) : frames(framing::side::server, most_bytes) {}

    framing frames;

    /// Feeds a copy that dies at once.
    void feed(std::string_view bytes) {
        const std::vector<char> copy(bytes.begin(), bytes.end());
        frames.feed({copy.data(), copy.size()});
    }
    std::vector<std::string> messages() {
        std::vector<std::string> all;
        while (auto m = frames.take()) all.push_back(m->dropped ? "(dropped)" + m->text : m->text);
        return all;
    }
};

} // namespace turnout::codec::websocket
