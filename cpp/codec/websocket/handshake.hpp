#pragma once

#include <string_view>
#include <variant>

#include "codec/http1.hpp"

namespace turnout::codec::websocket {

/// Why a request cannot become a WebSocket.
struct handshake_problem {
    int status = 400; ///< 426 where another request would do
    std::string_view message;
};

/// The client's key (RFC 6455, 4.2.1), or why there will be no WebSocket. Subprotocols and extensions that are offered
/// are passed over, so that none is agreed on.
std::variant<std::string_view, handshake_problem> read_handshake(const http1::head& head);

/// Why an answer 101 begins no WebSocket with the client that asked for it; empty if it does. `accept` is the digest of
/// the client's key. A subprotocol or an extension is one that was not offered.
std::string_view why_not_accepted(const http1::head& head, std::string_view accept);

/// What follows the key in the text whose digest answers it.
inline constexpr std::string_view accept_suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

} // namespace turnout::codec::websocket
