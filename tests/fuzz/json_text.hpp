#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

/// A second opinion on JSON: nlohmann/json, where it sees the same language as `codec/json_scan`.
namespace turnout::fuzz {

/// The text with every escape of a lone surrogate written as U+FFFD, which is what it is decoded to here and an error
/// there.
inline std::string with_whole_surrogates(std::string_view text) {
    const auto unit = [&](std::size_t at) -> unsigned { // the \uXXXX at that place; 0 if there is none
        if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return 0;
        const std::string digits(text.substr(at + 2, 4));
        if (digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos) return 0;
        return static_cast<unsigned>(std::stoul(digits, nullptr, 16));
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t taken = text[at] == '\\' ? 2 : 1;
        if (const unsigned first = unit(at); first >= 0xD800 && first <= 0xDFFF) {
            const unsigned second = unit(at + 6);
            taken = first <= 0xDBFF && second >= 0xDC00 && second <= 0xDFFF ? 12 : 6;
            if (taken == 6) {
                out += "\\ufffd";
                at += taken;
                continue;
            }
        }
        out += text.substr(at, taken);
        at += taken;
    }
    return out;
}

/// The value; discarded if it is none, or holds a number that no double is.
inline nlohmann::json parse(std::string_view text) {
    return nlohmann::json::parse(with_whole_surrogates(text), nullptr, false);
}

} // namespace turnout::fuzz
