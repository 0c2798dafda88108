#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace turnout::base {

/// Of ASCII letters; every other byte stays as it is, whatever the locale.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The white space within a line of HTTP.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_alphanumeric(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || is_digit(c); }

constexpr bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/// Of the tokens of HTTP (RFC 9110, 5.6.2), which the names of headers are.
constexpr bool is_in_token(char c) {
    constexpr std::string_view signs = "!#$%&'*+-.^_`|~";
    return is_alphanumeric(c) || signs.find(c) != signs.npos;
}

/// Of names, codes and ids: letters, digits, `_` and `-`.
constexpr bool is_in_word(char c) { return is_alphanumeric(c) || c == '_' || c == '-'; }

inline std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

} // namespace turnout::base
