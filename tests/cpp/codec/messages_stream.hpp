#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/messages/messages.hpp"
#include "codec/tracked_stream.hpp"

namespace turnout::codec::messages {

/// The event that a client sees for a payload of this type.
inline std::string event_of(const std::string& type, const std::string& data) {
    return "event: " + type + "\ndata: " + data + "\n\n";
}

inline std::string start_of(const std::string& model) {
    return R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":")" + model
           + R"(","content":[],"stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":3,)"
             R"("cache_read_input_tokens":4,"output_tokens":1}}})";
}
inline const std::string message_start = start_of("up");
inline const std::string ping_data = R"({"type":"ping"})";
inline std::string block_start(const std::string& block, int index = 0) {
    return R"({"type":"content_block_start","index":)" + std::to_string(index) + R"(,"content_block":)" + block + "}";
}
inline std::string block_delta(const std::string& delta, int index = 0) {
    return R"({"type":"content_block_delta","index":)" + std::to_string(index) + R"(,"delta":)" + delta + "}";
}
inline std::string block_stop(int index = 0) {
    return R"({"type":"content_block_stop","index":)" + std::to_string(index) + "}";
}
inline std::string text_delta(const std::string& text, int index = 0) {
    return block_delta(R"({"type":"text_delta","text":")" + text + R"("})", index);
}
inline const std::string text_start = block_start(R"({"type":"text","text":""})");
inline const std::string thinking_start = block_start(R"({"type":"thinking","thinking":"","signature":""})");
inline const std::string tool_start = block_start(R"({"type":"tool_use","id":"t1","name":"f","input":{}})");
inline std::string message_delta(const std::string& reason = "end_turn", int output = 5) {
    return R"({"type":"message_delta","delta":{"stop_reason":")" + reason
           + R"(","stop_sequence":null},"usage":{"output_tokens":)" + std::to_string(output) + "}}";
}
inline const std::string message_stop = R"({"type":"message_stop"})";
inline const std::string stop_event = event_of("message_stop", message_stop);

/// What a client sees of the payload, which only has another model's name.
inline std::string seen(const std::string& payload) {
    const std::size_t begin = std::string_view(R"({"type":")").size();
    const std::string type = payload.substr(begin, payload.find('"', begin) - begin);
    return event_of(type, payload == message_start ? start_of("claude") : payload);
}

class stream : public tracked_stream {
public:
    stream() : tracked_stream(instance(), {.public_model = "claude", .fallback_id = "own"}) {}
};

} // namespace turnout::codec::messages
