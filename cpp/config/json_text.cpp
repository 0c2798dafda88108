#include "config/json_text.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace turnout::config {
namespace {

constexpr std::size_t escape_length = 6; // \uXXXX

/// The code unit of a `\uXXXX` at the start of `text`; 0 if there is none.
std::uint32_t code_unit(std::string_view text) {
    std::uint32_t unit = 0;
    if (text.size() >= escape_length && text.starts_with("\\u")) {
        std::from_chars(text.data() + 2, text.data() + escape_length, unit, 16);
    }
    return unit;
}

void append_utf8(std::string& out, std::uint32_t character) {
    out.push_back(static_cast<char>(0xF0U | (character >> 18U)));
    out.push_back(static_cast<char>(0x80U | ((character >> 12U) & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | ((character >> 6U) & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | (character & 0x3FU)));
}

} // namespace

std::string join_surrogate_pairs(std::string_view text) {
    if (text.find("\\u") == std::string_view::npos || !nlohmann::json::accept(text)) {
        return std::string{text};
    }
    std::string joined;
    joined.reserve(text.size());
    while (!text.empty()) {
        if (text.front() != '\\') {
            const std::size_t plain = text.find('\\');
            joined.append(text.substr(0, plain));
            text.remove_prefix(plain == std::string_view::npos ? text.size() : plain);
            continue;
        }
        const std::uint32_t high = code_unit(text);
        if (high >= 0xD800U && high < 0xDC00U) { // a low half follows, or the text would not be JSON
            const std::uint32_t low = code_unit(text.substr(escape_length));
            append_utf8(joined, 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U));
            text.remove_prefix(2 * escape_length);
        } else {
            joined.append(text.substr(0, 2));
            text.remove_prefix(2);
        }
    }
    return joined;
}

} // namespace turnout::config
