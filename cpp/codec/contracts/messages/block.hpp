#pragma once

#include <string_view>

#include "codec/json_scan.hpp"

namespace turnout::codec::messages {

/// What one content block holds: of an answer, or as it is when its part of a stream begins.
struct block_facts {
    bool tool_use = false; ///< a tool that the client is to call
    /// Something that the client would see: text, or a block of another kind, whose name, id or data is news by itself.
    bool semantic = false;
};

/// Reads the object that begins at the scanner.
block_facts read_block(json::scanner& s);

/// What a `delta` holds, of a content block or of the message.
struct delta_facts {
    bool present = false;   ///< an object
    bool text = false;      ///< a string that is not empty, of whatever kind but a signature
    bool signature = false; ///< a signature that is not empty
    bool finish = false;    ///< a stop reason
    std::string_view plain; ///< between the quotes, the last such string that is no call's JSON
    std::string_view input; ///< a piece of a call's JSON, as `partial_json` takes it
};

/// Reads the value that begins at the scanner.
delta_facts read_delta(json::scanner& s);

} // namespace turnout::codec::messages
