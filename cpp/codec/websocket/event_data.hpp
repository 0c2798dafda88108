#pragma once

#include <string>
#include <string_view>

namespace turnout::codec::websocket {

/// Takes the first event off whole events as the trackers write them, and returns its data, which is one text message
/// of a WebSocket. Of several `data` lines it is put together in `joined`; else it views `events`. Empty for a comment.
std::string_view take_event_data(std::string_view& events, std::string& joined);

/// Appends a text message as an event whose data it is: the reverse.
void append_event(std::string& events, std::string_view message);

} // namespace turnout::codec::websocket
