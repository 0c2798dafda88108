#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/responses/responses.hpp"
#include "codec/tracked_stream.hpp"

namespace turnout::codec::responses {

/// A Response object of the upstream's.
inline std::string response(const std::string& status, const std::string& output = "[]",
                            const std::string& usage = "null", const std::string& model = "up") {
    return R"({"id":"resp_1","object":"response","created_at":7,"status":")" + status
           + R"(","error":null,"incomplete_details":null,"model":")" + model + R"(","output":)" + output
           + R"(,"usage":)" + usage + "}";
}

inline std::string event(const std::string& type, const std::string& members, int number) {
    return R"({"type":")" + type + R"(","sequence_number":)" + std::to_string(number) + (members.empty() ? "" : ",")
           + members + "}";
}
inline std::string life(const std::string& type, int number, const std::string& object) {
    return event("response." + type, R"("response":)" + object, number);
}

inline const std::string usage_object = R"({"input_tokens":1,"output_tokens":2,"total_tokens":3})";
inline const std::string message_item = R"({"id":"msg_1","type":"message","status":"completed","role":"assistant",)"
                                        R"("content":[{"type":"output_text","text":"ab","annotations":[]}]})";
inline const std::string created = life("created", 0, response("in_progress"));
inline const std::string in_progress = life("in_progress", 1, response("in_progress"));
inline const std::string message_added =
    event("response.output_item.added",
          R"("output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[]})", 2);
inline const std::string part_added =
    event("response.content_part.added",
          R"("item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":""})", 3);
inline std::string text_delta(const std::string& text, int number) {
    return event("response.output_text.delta",
                 R"("item_id":"msg_1","output_index":0,"content_index":0,"delta":")" + text + '"', number);
}
inline const std::string message_done =
    event("response.output_item.done", R"("output_index":0,"item":)" + message_item, 6);
inline const std::string completed_event =
    life("completed", 7, response("completed", "[" + message_item + "]", usage_object));

/// A message, up to the last word of it.
inline const std::vector<std::string> answering = {created,    in_progress,        message_added,
                                                   part_added, text_delta("a", 4), text_delta("b", 5)};
inline std::vector<std::string> operator+(std::vector<std::string> events, const std::vector<std::string>& more) {
    events.insert(events.end(), more.begin(), more.end());
    return events;
}

/// What a client sees of the upstream's event: only the model's name differs.
inline std::string seen(std::string data) {
    const std::string from = R"("model":"up")";
    const std::size_t at = data.find(from);
    if (at != std::string::npos) data.replace(at, from.size(), R"("model":"gpt")");
    const std::size_t type = data.find(R"("type":")") + 8;
    return "event: " + data.substr(type, data.find('"', type) - type) + "\ndata: " + data + "\n\n";
}

class stream : public tracked_stream {
public:
    stream() : tracked_stream(instance(), {.public_model = "gpt", .fallback_id = "own", .fallback_created = 99}) {}
};

} // namespace turnout::codec::responses
