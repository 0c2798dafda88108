#include "config/plain_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace turnout::config {
namespace {

constexpr std::string_view decimal_digits = "0123456789";

bool is_one_of(std::string_view text, std::string_view lower, std::string_view capital, std::string_view upper) {
    return text == lower || text == capital || text == upper;
}

bool consists_of(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// Removes the digits at the start of `text` and answers how many there were.
std::size_t take_digits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of(decimal_digits), text.size());
    text.remove_prefix(count);
    return count;
}

void take_sign(std::string_view& text) {
    if (text.starts_with('-') || text.starts_with('+')) {
        text.remove_prefix(1);
    }
}

/// `12`, `1.5`, `.5`, `1.` and the same with an exponent.
bool is_decimal(std::string_view text) {
    std::size_t digits = take_digits(text);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        digits += take_digits(text);
    }
    if (digits == 0) {
        return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        take_sign(text);
        return consists_of(text, decimal_digits);
    }
    return text.empty();
}

bool is_number(std::string_view text) {
    if (text.starts_with("0o") || text.starts_with("0x")) {
        return consists_of(text.substr(2), text[1] == 'o' ? "01234567" : "0123456789abcdefABCDEF");
    }
    if (is_one_of(text, ".nan", ".NaN", ".NAN")) {
        return true;
    }
    take_sign(text);
    return is_one_of(text, ".inf", ".Inf", ".INF") || is_decimal(text);
}

} // namespace

bool is_plain_string(std::string_view text) {
    return !is_one_of(text, "true", "True", "TRUE") && !is_one_of(text, "false", "False", "FALSE") && !is_number(text);
}

std::optional<std::int64_t> parse_decimal(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    if (digits.size() > 1 && digits.front() == '0') {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::optional<double> parse_number(std::string_view text) {
    std::string_view unsigned_text = text;
    take_sign(unsigned_text);
    if (!is_decimal(unsigned_text)) {
        return std::nullopt;
    }
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

} // namespace turnout::config
