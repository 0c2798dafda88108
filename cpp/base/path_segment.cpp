#include "base/path_segment.hpp"

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

} // namespace turnout::base
