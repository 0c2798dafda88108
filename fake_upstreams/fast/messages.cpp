#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {
namespace {

std::string event(std::string_view type, std::string_view members) {
    std::string text = "event: ";
    text.append(type).append(R"(
data: {"type":")");
    return text.append(type).append("\"").append(members).append("}\n\n");
}

std::string usage(std::uint64_t output_tokens) {
    return R"("usage":{"input_tokens":9,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":)"
           + std::to_string(output_tokens) + "}";
}

std::string ending(std::uint64_t tokens) {
    return event("content_block_stop", R"(,"index":0)")
           + event("message_delta", R"(,"delta":{"stop_reason":"end_turn","stop_sequence":null},)" + usage(tokens))
           + event("message_stop", "");
}

} // namespace

stream_script messages_script(std::string_view model) {
    std::string message = R"(,"message":{"model":")";
    message.append(model).append(R"(","id":"msg_01BenchBenchBenchBench","type":"message","role":"assistant",)");
    message.append(R"("content":[],"stop_reason":null,"stop_sequence":null,)").append(usage(1)).append("}");
    const std::string delta = R"(,"index":0,"delta":{"type":"text_delta","text":")" + std::string(token_word) + R"("})";
    return {
        .opening = {event("message_start", message),
                    event("content_block_start", R"(,"index":0,"content_block":{"type":"text","text":""})")},
        .token = {.before = event("content_block_delta", delta), .after = {}},
        .ending = ending,
    };
}

} // namespace turnout::fast
