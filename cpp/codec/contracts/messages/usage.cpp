#include "codec/contracts/messages/usage.hpp"

#include <algorithm>
#include <string_view>

namespace turnout::codec::messages {
namespace {

/// No real count is larger, and four of them can be added.
constexpr std::int64_t most_tokens = std::int64_t{1} << 53U;

std::optional<std::int64_t> count_of(std::string_view value) {
    const std::optional<std::int64_t> count = json::to_integer(value);
    return count ? std::optional{std::clamp<std::int64_t>(*count, 0, most_tokens)} : std::nullopt;
}

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
            counts.input = count_of(value);
        } else if (name.equals("output_tokens")) {
            counts.output = count_of(value);
        } else if (name.equals("cache_creation_input_tokens")) {
            counts.cache_creation = count_of(value);
        } else if (name.equals("cache_read_input_tokens")) {
            counts.cache_read = count_of(value);
        }
    }
    return counts;
}

} // namespace turnout::codec::messages
