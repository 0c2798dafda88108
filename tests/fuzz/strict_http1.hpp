#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/http1.hpp"

namespace turnout::fuzz {

/// What a message is by the letter of RFC 9112, read naively and without any leniency.
struct strict_message {
    bool whole = false;       ///< its end was reached
    bool until_close = false; ///< only the end of the connection ends it
    std::string_view rest;    ///< what follows it, or what of it was not understood yet
    std::string payload;      ///< as far as it is there
};

/// Reads one message, for responses after any number of 1xx. Nothing if the bytes break the grammar, or leave open
/// where the message ends. `bodiless`: the answer to a HEAD.
std::optional<strict_message> read_strictly(std::string_view bytes, codec::http1::message_kind kind, bool bodiless);

} // namespace turnout::fuzz
