#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>

namespace turnout::base {

/// Appends an integer's digits, after a minus sign if it is negative. `base` is 10 or 16, in lower case.
template <std::integral Integer>
void append_number(std::string& out, Integer value, int base = 10) {
    std::array<char, 24> digits; // NOLINT(*-member-init): filled as far as it is used
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

} // namespace turnout::base
