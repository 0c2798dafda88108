#pragma once

#include <cstddef>
#include <string_view>

namespace turnout::codec {

/// True when all of `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

/// Length in bytes (1..4) of the well-formed sequence that `text` begins with; 0 when it begins with none.
std::size_t utf8_sequence_length(std::string_view text);

/// U+FFFD, which stands for whatever cannot be shown.
inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

} // namespace turnout::codec
