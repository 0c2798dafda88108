#include "fake_upstreams/fast/chat.hpp"

#include <algorithm>

namespace turnout::fast {
namespace {

std::string event(std::string_view model, std::string_view delta) {
    std::string text =
        R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":")";
    text.append(model);
    text.append(R"(","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":)");
    text.append(delta);
    text.append(R"(,"logprobs":null,"finish_reason":null}]})");
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

std::string role_event(std::string_view model) { return event(model, R"({"role":"assistant","content":""})"); }

std::string content_event(std::string_view model) { return event(model, R"({"content":" token"})"); }

std::string chunk(std::string_view payload) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string size;
    for (std::size_t rest = payload.size(); rest != 0; rest /= 16) size.insert(size.begin(), digits[rest % 16]);
    return size.append("\r\n").append(payload).append("\r\n");
}

std::string repeated(std::string_view text, std::size_t size) {
    std::string all;
    all.reserve(size + 2 * text.size());
    while (all.size() < size) all.append(text);
    return all.append(text);
}

} // namespace turnout::fast
