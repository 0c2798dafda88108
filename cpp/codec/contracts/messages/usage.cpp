#include "codec/contracts/messages/usage.hpp"

#include <string_view>

#include "codec/contracts/token_count.hpp"

namespace turnout::codec::messages {
namespace {

void take_over(std::optional<std::int64_t>& count, std::optional<std::int64_t> later) {
    if (later) count = later;
}

} // namespace

void usage_counts::overlay(const usage_counts& later) {
    take_over(input, later.input);
    take_over(cache_creation, later.cache_creation);
    take_over(cache_read, later.cache_read);
    take_over(output, later.output);
}

std::optional<token_usage> usage_counts::total() const {
    if (!input && !cache_creation && !cache_read && !output) return std::nullopt;
    const std::int64_t prompt = input.value_or(0) + cache_creation.value_or(0) + cache_read.value_or(0);
    const std::int64_t completion = output.value_or(0);
    return token_usage{prompt, completion, prompt + completion};
}

usage_counts read_usage(json::scanner& s) {
    usage_counts counts;
    if (s.peek() != json::kind::object) {
        s.skip();
        return counts;
    }
    json::string_token name;
    std::string_view value;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        if (name.equals("input_tokens")) {
            counts.input = token_count(value);
        } else if (name.equals("output_tokens")) {
            counts.output = token_count(value);
        } else if (name.equals("cache_creation_input_tokens")) {
            counts.cache_creation = token_count(value);
        } else if (name.equals("cache_read_input_tokens")) {
            counts.cache_read = token_count(value);
        }
    }
    return counts;
}

} // namespace turnout::codec::messages
