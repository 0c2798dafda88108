#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {
namespace {

constexpr std::string_view place = R"("item_id":"msg_bench0000000000000000","output_index":0,"content_index":0)";
constexpr std::uint64_t events_before_tokens = 4;

/// What comes before the number of an event.
std::string begun(std::string_view type) {
    std::string text = "event: ";
    text.append(type).append(R"(
data: {"type":")");
    return text.append(type).append(R"(","sequence_number":)");
}

std::string event(std::string_view type, std::uint64_t number, std::string_view members) {
    return begun(type).append(std::to_string(number)).append(",").append(members).append("}\n\n");
}

std::string part(std::string_view text) {
    return R"({"type":"output_text","annotations":[],"logprobs":[],"text":")" + std::string(text) + R"("})";
}

std::string item(std::string_view status, std::string_view content) {
    std::string text = R"({"id":"msg_bench0000000000000000","type":"message","status":")";
    return text.append(status).append(R"(","content":[)").append(content).append(R"(],"role":"assistant"})");
}

std::string response(std::string_view model, std::string_view id, std::string_view status, std::string_view output,
                     std::string_view usage) {
    std::string text = R"("response":{"id":")";
    text.append(id).append(R"(","object":"response","created_at":1700000000,"status":")").append(status);
    text.append(R"(","background":false,"error":null,"incomplete_details":null,"instructions":null,)");
    text.append(R"("max_output_tokens":null,"max_tool_calls":null,"model":")").append(model);
    text.append(R"(","output":[)")
        .append(output)
        .append(R"(],"parallel_tool_calls":true,"previous_response_id":null,)");
    text.append(R"("prompt_cache_key":null,"reasoning":{"effort":null,"summary":null},"safety_identifier":null,)");
    text.append(R"("service_tier":"default","store":true,"temperature":1.0,"text":{"format":{"type":"text"},)");
    text.append(R"("verbosity":"medium"},"tool_choice":"auto","tools":[],"top_logprobs":0,"top_p":1.0,)");
    return text.append(R"("truncation":"disabled","usage":)").append(usage).append(R"(,"user":null,"metadata":{}})");
}

std::string usage(std::uint64_t tokens) {
    return R"({"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":)" + std::to_string(tokens)
           + R"(,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":)" + std::to_string(tokens + 9) + "}";
}

std::string ending(std::string_view model, std::string_view id, std::uint64_t tokens) {
    const std::string text = words(tokens);
    const std::string done = item("completed", part(text));
    const std::uint64_t number = events_before_tokens + tokens;
    return event("response.output_text.done", number,
                 std::string(place).append(R"(,"text":")").append(text).append(R"(","logprobs":[])"))
           + event("response.content_part.done", number + 1,
                   std::string(place).append(R"(,"part":)").append(part(text)))
           + event("response.output_item.done", number + 2, R"("output_index":0,"item":)" + done)
           + event("response.completed", number + 3, response(model, id, "completed", done, usage(tokens)));
}

} // namespace

stream_script responses_script(std::string_view model, std::string_view id) {
    const std::string begun_response = response(model, id, "in_progress", "", "null");
    return {
        .opening = {event("response.created", 0, begun_response), event("response.in_progress", 1, begun_response),
                    event("response.output_item.added", 2, R"("output_index":0,"item":)" + item("in_progress", "")),
                    event("response.content_part.added", 3, std::string(place).append(R"(,"part":)").append(part("")))},
        .token = {.before = begun("response.output_text.delta"),
                  .after = std::string(",").append(place).append(R"(,"delta":")").append(token_word)
                           + R"(","logprobs":[],"obfuscation":"k2Vf9Lq0aX"})" + "\n\n",
                  .numbered = true,
                  .first = events_before_tokens},
        .ending = [model = std::string(model),
                   id = std::string(id)](std::uint64_t tokens) { return ending(model, id, tokens); },
    };
}

} // namespace turnout::fast
