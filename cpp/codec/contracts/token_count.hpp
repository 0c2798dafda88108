#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/json_scan.hpp"

namespace turnout::codec {

/// No real count of tokens is larger, and several of them can be added.
inline constexpr std::int64_t most_tokens = std::int64_t{1} << 53U;

/// An upstream's count: a number as it is written, from 0 to `most_tokens`; nothing if it is no integer.
inline std::optional<std::int64_t> token_count(std::string_view number) {
    const std::optional<std::int64_t> count = json::to_integer(number);
    return count ? std::optional{std::clamp<std::int64_t>(*count, 0, most_tokens)} : std::nullopt;
}

} // namespace turnout::codec
