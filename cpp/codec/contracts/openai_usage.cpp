#include "codec/contracts/openai_usage.hpp"

#include "codec/contracts/token_count.hpp"

namespace turnout::codec {

std::optional<token_usage> read_openai_usage(json::scanner& s, std::string_view prompt, std::string_view completion) {
    if (s.peek() != json::kind::object) {
        s.skip();
        return std::nullopt;
    }
    std::optional<std::int64_t> in;
    std::optional<std::int64_t> out;
    std::optional<std::int64_t> total;
    json::string_token name;
    std::string_view value;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        if (name.equals(prompt)) {
            in = token_count(value);
        } else if (name.equals(completion)) {
            out = token_count(value);
        } else if (name.equals("total_tokens")) {
            total = token_count(value);
        }
    }
    if (!in && !out && !total) return std::nullopt;
    return token_usage{in.value_or(0), out.value_or(0), total.value_or(in.value_or(0) + out.value_or(0))};
}

} // namespace turnout::codec
