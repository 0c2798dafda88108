#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace turnout::codec::messages {

/// Appends events that the gateway writes where an upstream left them out. `id` and `model` are plain text.

void write_message_start(std::string& out, std::string_view id, std::string_view model);
void write_block_stop(std::string& out, std::int64_t index);
/// With the stop reason and the output tokens counted so far.
void write_message_delta(std::string& out, std::string_view stop_reason, std::int64_t output_tokens);
void write_message_stop(std::string& out);
/// The event that only this gateway has: `unified_routing` is a JSON value.
void write_routing_metadata(std::string& out, std::string_view unified_routing);

} // namespace turnout::codec::messages
