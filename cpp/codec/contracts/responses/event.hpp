#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/contracts/responses/kept_response.hpp"
#include "codec/contracts/responses/response_object.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {

/// One event's data, read in place: views point into it.
struct event_facts {
    std::string_view start;      ///< the place after the opening brace; an empty view
    bool empty = true;           ///< no member at all
    json::string_token type;     ///< raw is empty if there is none
    std::string_view type_value; ///< whatever `type` is, as it is written
    std::optional<std::int64_t> sequence;
    std::string_view sequence_value;
    bool error = false;          ///< has an error, or calls itself one
    bool delta = false;          ///< a string that is not empty
    std::string_view delta_text; ///< of several such strings the last, between the quotes
    bool delta_parts = false;    ///< an object that is not empty
    bool text = false;           ///< a whole text, call or image stands in the event itself
    bool part_output = false;
    bool item_output = false;
    std::string_view item;
    std::int64_t output_index = 0;
    std::string_view response_id; ///< a string that is not empty, quotes included
    named_member model;
    std::string_view obfuscation; ///< random text against guesses from the size of events, between the quotes
    response_facts response;
};

/// False when `data` is no JSON object, or has two responses; `facts` means nothing then. A response that is the `known`
/// one is not read again.
bool read_event(std::string_view data, event_facts& facts, const kept_response* known = nullptr);

/// What an event is to the tracker.
enum class event_kind {
    started,   ///< response.created
    running,   ///< other news of the response itself
    finished,  ///< response.completed or response.incomplete
    failed,    ///< response.failed
    cancelled, ///< response.cancelled
    error,
    keepalive,
    item_added,
    item_done,
    other,
};
event_kind kind_of(std::string_view type);

/// Whether the client sees output by this event of kind `item_added`, `item_done` or `other`.
bool has_output(std::string_view type, const event_facts& facts);

/// Whether a message is of no turn, as news about limits are: an event whose type is not one of a response, and that holds
/// neither one nor an error.
bool is_of_no_turn(std::string_view message);

} // namespace turnout::codec::responses
