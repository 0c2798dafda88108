#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/contracts/accept.hpp"
#include "codec/contracts/chat/finish.hpp"
#include "codec/contracts/chat/output.hpp"
#include "codec/contracts/contract.hpp"

namespace turnout::codec::chat {

/// One element of a frame's `choices`.
struct choice_facts {
    std::int64_t index = 0;       ///< its place in the array where the upstream gives none
    std::string_view start;       ///< the place after the choice's opening brace; an empty view
    bool has_delta = false;       ///< `delta` is an object
    std::string_view delta_start; ///< the place after the delta's opening brace
    std::string_view blank_delta; ///< the value of a delta that is no object
    output_facts output;          ///< what the delta holds
    finish_kind finish = finish_kind::none;
    std::string_view finish_value; ///< with its quotes
    std::string_view error;        ///< an object beside a finish that is a failure
};

/// One frame's data, read in place: views point into it. Kept from frame to frame so that nothing is allocated.
struct frame_facts {
    bool error = false; ///< an error frame, whatever else it holds
    bool ping = false;  ///< a keepalive dressed as data
    std::vector<choice_facts> choices;
    std::string_view id; ///< a non-empty string, with its quotes
    named_member model;
    std::string_view created;     ///< a number
    std::string_view usage_value; ///< a `usage` that is not null; `groq_usage_value` is one inside `x_groq`
    std::string_view groq_usage_value;
    std::string_view obfuscation; ///< random text against guesses from the size of frames, between the quotes
    std::optional<token_usage> usage;
};

/// False when `data` is no JSON object; `facts` means nothing then.
bool read_frame(std::string_view data, frame_facts& facts);

} // namespace turnout::codec::chat
