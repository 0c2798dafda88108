#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/contracts/chat/chat.hpp"
#include "codec/tracked_stream.hpp"

namespace turnout::codec::chat {

/// One choice's element of a chunk.
inline std::string choice_of(const std::string& delta, int index = 0, const std::string& finish = "null") {
    return R"({"index":)" + std::to_string(index) + R"(,"delta":)" + delta + R"(,"finish_reason":)" + finish + "}";
}

inline std::string chunk(const std::string& choices, const std::string& rest = "", const std::string& model = "up") {
    return R"({"id":"c1","object":"chat.completion.chunk","created":7,"model":")" + model + R"(","choices":[)" + choices
           + "]" + rest + "}";
}

inline std::string frame(const std::string& delta, int index = 0) { return chunk(choice_of(delta, index)); }
inline std::string text_frame(const std::string& text, int index = 0) {
    return frame(R"({"content":")" + text + R"("})", index);
}
inline std::string finish_frame(const std::string& reason = "stop", int index = 0) {
    return chunk(choice_of("{}", index, '"' + reason + '"'));
}

inline const std::string role_delta = R"({"role":"assistant","content":""})";
inline const std::string role_frame = frame(role_delta);
inline const std::string usage_object = R"({"prompt_tokens":1,"completion_tokens":2,"total_tokens":3})";
inline const std::string usage_frame = chunk("", R"(,"usage":)" + usage_object);

/// The event that a client sees for a payload of the upstream's: only the model's name differs.
inline std::string seen(std::string payload) {
    const std::string from = R"("model":"up")";
    const std::size_t at = payload.find(from);
    if (at != std::string::npos) payload.replace(at, from.size(), R"("model":"gpt")");
    return "data: " + payload + "\n\n";
}

inline const std::string done_event = "data: [DONE]\n\n";
inline const std::string own_head = R"(data: {"id":"c1","object":"chat.completion.chunk","created":7,"model":"gpt",)";
inline std::string own_finish(const std::string& reason, int index = 0) {
    return own_head + R"("choices":[{"index":)" + std::to_string(index) + R"(,"delta":{},"finish_reason":")" + reason
           + "\"}]}\n\n";
}

class stream : public tracked_stream {
public:
    explicit stream(unsigned n = 1, bool wants_usage = false)
        : tracked_stream(instance(), {.public_model = "gpt",
                                      .n = n,
                                      .client_wants_usage = wants_usage,
                                      .fallback_id = "own",
                                      .fallback_created = 99}) {}
};

} // namespace turnout::codec::chat
