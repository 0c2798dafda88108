#include "fake_upstreams/fast/chat.hpp"

#include <algorithm>

#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {
namespace {

std::string event(std::string_view model, std::string_view delta, std::string_view finish_reason) {
    std::string text =
        R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":")";
    text.append(model);
    text.append(R"(","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":)");
    text.append(delta);
    text.append(R"(,"logprobs":null,"finish_reason":)").append(finish_reason).append("}]}");
    text.append("\n\n");
    return text;
}

} // namespace

std::string completion(std::string_view model, std::size_t size) {
    std::string text = R"({"id":"chatcmpl-bench","object":"chat.completion","created":1700000000,"model":")";
    text.append(model);
    text.append(R"(","choices":[{"index":0,"message":{"role":"assistant","content":")");
    constexpr std::string_view end =
        R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}})";
    text.append(std::max<std::size_t>(size, text.size() + end.size() + 1) - text.size() - end.size(), 'a');
    text.append(end);
    return text;
}

stream_script chat_script(std::string_view model) {
    const std::string delta = R"({"content":")" + std::string(token_word) + R"("})";
    return {
        .opening = {event(model, R"({"role":"assistant","content":""})", "null")},
        .token = {.before = event(model, delta, "null"), .after = {}},
        .ending = [finish = event(model, "{}", R"("stop")")](std::uint64_t) { return finish + "data: [DONE]\n\n"; },
    };
}

} // namespace turnout::fast
