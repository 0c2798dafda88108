#include "codec/contracts/messages/own_events.hpp"

#include "codec/json_string.hpp"

namespace turnout::codec::messages {

void write_message_start(std::string& out, std::string_view id, std::string_view model) {
    out += "event: message_start\n"
           R"(data: {"type":"message_start","message":{"id":)";
    json::write_json_string(out, id);
    out += R"(,"type":"message","role":"assistant","model":)";
    json::write_json_string(out, model);
    out += R"(,"content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}})"
           "\n\n";
}

void write_block_stop(std::string& out, std::int64_t index) {
    out += "event: content_block_stop\n"
           R"(data: {"type":"content_block_stop","index":)";
    out += std::to_string(index);
    out += "}\n\n";
}

void write_message_delta(std::string& out, std::string_view stop_reason, std::int64_t output_tokens) {
    out += "event: message_delta\n"
           R"(data: {"type":"message_delta","delta":{"stop_reason":")";
    out += stop_reason;
    out += R"(","stop_sequence":null},"usage":{"output_tokens":)";
    out += std::to_string(output_tokens);
    out += "}}\n\n";
}

void write_message_stop(std::string& out) {
    out += "event: message_stop\n"
           R"(data: {"type":"message_stop"})"
           "\n\n";
}

void write_routing_metadata(std::string& out, std::string_view unified_routing) {
    out += "event: routing_metadata\n"
           R"(data: {"type":"routing_metadata","unified_routing":)";
    out += unified_routing;
    out += "}\n\n";
}

} // namespace turnout::codec::messages
