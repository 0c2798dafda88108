#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace turnout::config {

/// Whether YAML 1.2 (core schema) reads a scalar without quotes as a string, not as a boolean or a number. Null does
/// not come here.
bool is_plain_string(std::string_view text);

/// The value of a decimal integer without plus sign, leading zero, exponent or fraction.
std::optional<std::int64_t> parse_decimal(std::string_view text);

/// The value of a decimal number as YAML 1.2 writes it, such as `12`, `.5` or `1.5e-3`, if a double can hold it. Neither
/// infinity nor NaN is one.
std::optional<double> parse_number(std::string_view text);

} // namespace turnout::config
