#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"
#include "codec/contracts/request_reader.hpp"

namespace turnout::codec::responses {

/// A client's message over a WebSocket: `{"type":"response.create", ...}` with the members of a request's body.
struct socket_request {
    contract_request request;    ///< its `edits` make the message the body of a streamed POST
    bool generate = true;        ///< false: nothing but what later turns build on
    byte_range input;            ///< the value of `input`; empty if there is none
    std::size_t type_offset = 0; ///< where the member `type` begins
};

/// What takes the place of the member `type` in the body of a POST. The edit that does so is known by viewing this very
/// text, which no other one does.
inline constexpr char streamed[] = R"("stream":true)";

/// Validates the whole message as JSON. What only makes sense over HTTP (`stream`, `stream_options`, `background`) or
/// with several turns at a time (`stream_id`) is refused by name.
std::variant<socket_request, request_problem> read_socket_request(std::string_view message);

} // namespace turnout::codec::responses
