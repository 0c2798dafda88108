#include "base/path_segment.hpp"

#include <charconv>
#include <cstddef>

#include "base/ascii.hpp"

namespace turnout::base {

void write_path_segment(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : text) {
        const bool plain = is_in_word(c) || c == '.' || c == '~';
        if (plain) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 15U];
        }
    }
}

std::optional<std::string> read_path_segment(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size() || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2])) return std::nullopt;
        unsigned char byte = 0;
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16);
        decoded += static_cast<char>(byte);
        i += 2;
    }
    return decoded;
}

} // namespace turnout::base
