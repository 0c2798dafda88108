#include "fake_upstreams/fast/script.hpp"

#include <array>

namespace turnout::fast {
namespace {

struct spoken_protocol {
    std::string_view name;
    std::string_view path;
    std::string_view members; ///< of a request, beside its model and `stream`
    std::string_view question;
};

constexpr std::array protocols{
    spoken_protocol{"chat", "/v1/chat/completions", "", "messages"},
    spoken_protocol{"messages", "/v1/messages", R"("max_tokens":1024,)", "messages"},
    spoken_protocol{"responses", "/v1/responses", "", "input"},
};

const spoken_protocol& facts_of(protocol spoken) { return protocols[static_cast<std::size_t>(spoken)]; }

} // namespace

std::optional<protocol> protocol_named(std::string_view name) {
    for (const protocol spoken : {protocol::chat, protocol::messages, protocol::responses})
        if (facts_of(spoken).name == name) return spoken;
    return std::nullopt;
}

std::string_view path_of(protocol spoken) { return facts_of(spoken).path; }

std::string request_for(protocol spoken, std::string_view model, std::string_view kind) {
    const spoken_protocol& facts = facts_of(spoken);
    std::string body = R"({"model":")";
    body.append(model).append(R"(",)").append(facts.members).append(R"("stream":true,")").append(facts.question);
    body.append(R"(":[{"role":"user","content":")").append(kind).append(R"("}]})");
    std::string request = "POST ";
    request.append(facts.path).append(" HTTP/1.1\r\nhost: bench\r\naccept: text/event-stream\r\n");
    request.append("content-type: application/json\r\ncontent-length: ").append(std::to_string(body.size()));
    return request.append("\r\n\r\n").append(body);
}

stream_script script_of(protocol spoken, std::string_view model, std::string_view response_id) {
    switch (spoken) {
    case protocol::chat: return chat_script(model);
    case protocol::messages: return messages_script(model);
    case protocol::responses: return responses_script(model, response_id);
    }
    return {};
}

std::string words(std::uint64_t tokens) {
    std::string text;
    for (std::uint64_t i = 0; i < tokens; ++i) text += token_word;
    return text;
}

} // namespace turnout::fast
