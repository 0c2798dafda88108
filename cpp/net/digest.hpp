#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace turnout::net {

using sha256_digest = std::array<std::uint8_t, 32>;

sha256_digest sha256(std::string_view bytes);

/// The SHA-1 digest in base64, which the WebSocket handshake asks for and nothing else here.
std::string sha1_base64(std::string_view bytes);

/// The first `digits` lower-case hexadecimal digits; at most 64.
std::string hex(const sha256_digest& digest, std::size_t digits = 64);

/// In constant time.
bool equal(const sha256_digest& a, const sha256_digest& b);

} // namespace turnout::net
