#include "codec/contracts/messages/partial_json.hpp"

#include <charconv>
#include <cstddef>

namespace turnout::codec::messages {
namespace {

constexpr std::size_t unicode_digits = 4;
constexpr unsigned last_ascii = 0x7F;

/// The character after `\u`; any letter for one that means nothing to JSON's grammar.
char character_of(std::string_view digits) {
    unsigned code = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    return code <= last_ascii ? static_cast<char>(code) : 'x';
}

} // namespace

void partial_json::feed(std::string_view raw) {
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\\' || i + 1 == raw.size()) {
            take(raw[i]);
        } else if (raw[++i] == 'u') {
            take(character_of(raw.substr(i + 1, unicode_digits)));
            i += unicode_digits;
        } else {
            const bool itself = raw[i] == '"' || raw[i] == '\\' || raw[i] == '/';
            take(itself ? raw[i] : ' '); // the others are blank space, or no grammar either
        }
    }
}

void partial_json::take(char c) {
    if (escaped_) {
        escaped_ = false;
    } else if (in_string_) {
        escaped_ = c == '\\';
        in_string_ = c != '"';
    } else if (c == '"') {
        in_string_ = true;
    } else if (c == '{' || c == '[') {
        ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0) {
        --depth_;
    }
}

} // namespace turnout::codec::messages
