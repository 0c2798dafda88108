#pragma once

#include <optional>
#include <string_view>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {

/// What one delta of a stream, or one message of an answer, holds.
struct output_facts {
    bool semantic = false;       ///< reasoning, content, refusal, tool or media output that the client would see
    bool tool_calls = false;     ///< at least one
    bool function_call = false;  ///< the older form
    bool has_role = false;       ///< a role that is a non-empty string
    bool empty = true;           ///< no member at all
    std::string_view blank_role; ///< the value of a role that is null or an empty string
    std::string_view text; ///< of content or reasoning in a single string, between the quotes; of several the last
};

/// Reads the object that begins at the scanner.
output_facts read_output(json::scanner& s);

/// Reads a `usage` value; nothing for null, or an object that counts no tokens.
std::optional<token_usage> read_usage(json::scanner& s);

/// What `x_groq` holds.
struct groq_facts {
    std::optional<token_usage> usage; ///< the same thing as `usage`, in another place
    std::string_view usage_value;     ///< where it lies if it is not null
    bool error = false;               ///< says why the answer was cut off
};

/// Reads the value of `x_groq`.
groq_facts read_groq(json::scanner& s);

} // namespace turnout::codec::chat
