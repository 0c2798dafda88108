#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/contracts/accept.hpp"
#include "codec/contracts/messages/block.hpp"
#include "codec/contracts/messages/usage.hpp"

namespace turnout::codec::messages {

enum class event_kind : std::uint8_t {
    message_start,
    content_block_start,
    content_block_delta,
    content_block_stop,
    message_delta,
    message_stop,
    ping,
    error,
    other, ///< none that we know; the protocol may get more
};

/// Empty for `other`.
std::string_view name_of(event_kind kind);
event_kind kind_of(std::string_view name);

/// The place after an object's opening brace.
struct object_place {
    std::string_view start; ///< an empty view
    bool empty = true;      ///< nothing but the closing brace follows
};

/// The `message` of a `message_start`.
struct message_facts {
    bool present = false; ///< an object
    object_place place;
    std::string_view value; ///< all of it
    named_member model;
    std::string_view content; ///< its value, if there is one
    std::string_view usage;   ///< likewise
};

/// One event's data, read in place: views point into it.
struct event_facts {
    event_kind kind = event_kind::other; ///< as the data's `type` says, or else the event's name
    std::string_view type;               ///< the value of `type`, if there is one
    bool typed = false;                  ///< it is a non-empty string
    std::string_view data;               ///< all of it
    object_place place;
    bool error = false; ///< says that something failed
    std::optional<std::int64_t> index;
    std::string_view index_value; ///< its value, if there is one; so are the next two
    std::string_view block_value;
    std::string_view delta_value;
    block_facts block;
    delta_facts delta;
    named_member model; ///< at the top
    message_facts message;
    std::string_view usage; ///< its value at the top, if there is one
    usage_counts counts;    ///< what it counts, or the message's usage
};

/// False when `data` is no JSON object, or has two messages; `facts` means nothing then. `name` is the event's.
bool read_event(std::string_view name, std::string_view data, event_facts& facts);

} // namespace turnout::codec::messages
