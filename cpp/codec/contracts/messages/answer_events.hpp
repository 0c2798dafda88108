#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace turnout::codec::messages {

/// The payloads of the stream that an accepted JSON answer would have been, up to its `message_delta` (which is left
/// out where the answer gives no stop reason). Text, thinking, signatures and the input of tools come as deltas; what
/// else a block holds is in its start.
std::vector<std::string> answer_events(std::string_view answer);

} // namespace turnout::codec::messages
