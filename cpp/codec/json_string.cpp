#include "codec/json_string.hpp"

#include <array>
#include <bit>

#include "codec/json_special.hpp"
#include "codec/utf8.hpp"

namespace turnout::codec::json {
namespace {

constexpr char32_t no_character = 0xFFFFFFFF;

unsigned hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    return static_cast<unsigned>((c | 0x20) - 'a') + 10U;
}

/// The code unit of a validated `\uXXXX` at `at`, or `no_character` when there is none.
char32_t code_unit(std::string_view raw, std::size_t at) {
    if (raw.size() < at + 6 || raw[at] != '\\' || raw[at + 1] != 'u') return no_character;
    char32_t unit = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) unit = unit * 16 + hex_digit(raw[i]);
    return unit;
}

void append_utf8(std::string& out, char32_t c) {
    const auto continuation = [&](unsigned shift) { out += static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0U | (c >> 6U));
        continuation(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0U | (c >> 12U));
        continuation(6);
        continuation(0);
    } else {
        out += static_cast<char>(0xF0U | (c >> 18U));
        continuation(12);
        continuation(6);
        continuation(0);
    }
}

/// Appends the character escaped at `at` and returns the index after it.
std::size_t append_unicode_escape(std::string& out, std::string_view raw, std::size_t at) {
    const char32_t unit = code_unit(raw, at);
    if (unit < 0xD800 || unit > 0xDFFF) {
        append_utf8(out, unit);
        return at + 6;
    }
    const char32_t low = unit < 0xDC00 ? code_unit(raw, at + 6) : no_character;
    if (low >= 0xDC00 && low <= 0xDFFF) {
        append_utf8(out, 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00));
        return at + 12;
    }
    out += replacement_character;
    return at + 6;
}

char simple_escape(char letter) {
    switch (letter) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return letter; // quote, backslash, slash
    }
}

void append_escaped_byte(std::string& out, unsigned char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
    case '"': out += "\\\""; break;
    case '\\': out += "\\\\"; break;
    case '\b': out += "\\b"; break;
    case '\f': out += "\\f"; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    default:
        out += "\\u00";
        out += digits[c >> 4U];
        out += digits[c & 0xFU];
    }
}

/// Bytes that a JSON string may hold as they are, whatever stands before and after them.
constexpr auto stands_for_itself = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

/// How many bytes stand for themselves before the first that does not.
std::size_t plain_prefix(std::string_view text) {
    std::size_t i = 0;
#ifdef __SSE2__
    for (; text.size() - i >= 16; i += 16) {
        const __m128i bytes = load_16(text.data() + i);
        if (const unsigned found = special_of(bytes) | non_ascii_of(bytes); found != 0)
            return i + static_cast<std::size_t>(std::countr_zero(found));
    }
#endif
    while (i < text.size() && stands_for_itself[static_cast<unsigned char>(text[i])]) ++i;
    return i;
}

/// Appends what `text` begins with, escaped or replaced where it must be, and returns how many bytes that was.
std::size_t append_special(std::string& out, std::string_view text) {
    const auto c = static_cast<unsigned char>(text.front());
    if (c < 0x80) {
        append_escaped_byte(out, c);
        return 1;
    }
    const std::size_t length = utf8_sequence_length(text);
    if (length == 0) {
        out += replacement_character;
        return 1;
    }
    out.append(text, 0, length);
    return length;
}

} // namespace

std::string string_token::decode() const {
    if (!escaped) return std::string(raw);
    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size();) {
        if (raw[i] != '\\') {
            out += raw[i++];
        } else if (raw[i + 1] == 'u') {
            i = append_unicode_escape(out, raw, i);
        } else {
            out += simple_escape(raw[i + 1]);
            i += 2;
        }
    }
    return out;
}

bool string_token::escaped_equals(std::string_view text) const { return decode() == text; }

void write_json_string(std::string& out, std::string_view text) {
    out += '"';
    while (true) {
        const std::size_t i = plain_prefix(text);
        out.append(text, 0, i);
        if (i == text.size()) break;
        text.remove_prefix(i);
        text.remove_prefix(append_special(out, text));
    }
    out += '"';
}

std::string to_json_string(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    write_json_string(out, text);
    return out;
}

} // namespace turnout::codec::json
