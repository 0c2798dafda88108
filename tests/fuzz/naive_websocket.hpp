#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "codec/http1.hpp"

namespace turnout::fuzz {

/// What a server makes of a client's frames.
struct naive_frames {
    std::vector<std::string> messages;
    std::string incoming;   ///< of the message that is not whole yet
    std::string output;     ///< pongs and a close frame
    bool too_large = false; ///< nothing is read any more, and nothing was said
    bool closed = false;    ///< `output` ends with a close frame
    std::optional<std::pair<unsigned, std::string>> left;
    std::string_view unread; ///< the frame that is not whole yet: what is wrong with it may be known already
};

/// Reads the frames one behind the other by the letter of RFC 6455; of a message, `most_bytes` are taken.
naive_frames read_frames_naively(std::string_view bytes, std::size_t most_bytes);

/// The key of a handshake (RFC 6455, 4.2.1), or the status with which it is refused.
std::variant<int, std::string> read_handshake_naively(const codec::http1::head& head);

} // namespace turnout::fuzz
