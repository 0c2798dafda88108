#include "strict_http1.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace turnout::fuzz {
namespace {

using codec::http1::message_kind;

constexpr std::string_view line_end = "\r\n";

enum class outcome { whole, unfinished, broken };

bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || others.find(c) != others.npos;
    });
}

bool is_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte != 0x7F) || byte == '\t';
    });
}

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    });
}

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// A number of digits alone, in base 10 or 16, that fits.
std::optional<std::uint64_t> number(std::string_view digits, unsigned base) {
    if (digits.empty()) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : digits) {
        const auto byte = static_cast<unsigned char>(c);
        if ((base == 10 ? std::isdigit(byte) : std::isxdigit(byte)) == 0) return std::nullopt;
        const unsigned digit =
            std::isdigit(byte) != 0 ? byte - '0' : static_cast<unsigned>(std::tolower(byte)) - 'a' + 10;
        if (value > (UINT64_MAX - digit) / base) return std::nullopt;
        value = value * base + digit;
    }
    return value;
}

bool looks_like_host(std::string_view text) {
    constexpr std::string_view others = "-._~%!$&'()*+,;=:[]";
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || others.find(c) != others.npos;
    });
}

class reader {
public:
    reader(std::string_view bytes, message_kind kind, bool bodiless) : rest_(bytes), kind_(kind), bodiless_(bodiless) {}

    std::optional<strict_message> read() {
        outcome is = message();
        if (is == outcome::broken) return std::nullopt;
        return strict_message{is == outcome::whole, until_close_, rest_, std::move(payload_)};
    }

private:
    outcome message() {
        for (;;) {
            if (const outcome is = head(); is != outcome::whole) return is;
            if (kind_ == message_kind::request || status_ >= 200) return body();
        }
    }

    /// The bytes up to the next line end, which is passed; nothing while there is none.
    std::optional<std::string_view> line() {
        const auto end = rest_.find(line_end);
        if (end == rest_.npos) return std::nullopt;
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + line_end.size());
        return text;
    }

    outcome head() {
        codings_ = lengths_ = 0;
        length_.reset();
        const auto start = line();
        if (!start) return outcome::unfinished;
        if (!(kind_ == message_kind::request ? request_line(*start) : status_line(*start))) return outcome::broken;
        return fields(true);
    }

    bool request_line(std::string_view text) {
        const auto first = text.find(' ');
        const auto second = text.find(' ', first == text.npos ? text.npos : first + 1);
        if (second == text.npos || !is_token(text.substr(0, first))) return false;
        const std::string_view target = text.substr(first + 1, second - first - 1);
        const bool printable = std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < 0x7F; });
        return !target.empty() && printable && version(text.substr(second + 1));
    }

    bool status_line(std::string_view text) {
        if (text.size() < 12 || !version(text.substr(0, 8)) || text[8] != ' ') return false;
        const auto status = number(text.substr(9, 3), 10);
        status_ = static_cast<int>(status.value_or(0));
        const std::string_view reason = text.substr(12);
        return status_ >= 100 && (reason.empty() || reason.front() == ' '); // whatever it says, it is dropped
    }

    bool version(std::string_view text) {
        old_ = text == "HTTP/1.0";
        return old_ || text == "HTTP/1.1";
    }

    outcome fields(bool in_head) {
        for (;;) {
            const auto text = line();
            if (!text) return outcome::unfinished;
            if (text->empty()) return outcome::whole;
            const auto colon = text->find(':');
            if (colon == text->npos || !is_token(text->substr(0, colon))) return outcome::broken;
            const std::string_view value = text->substr(colon + 1);
            if (!is_text(value) || (in_head && !framing_field(text->substr(0, colon), without_blanks(value)))) {
                return outcome::broken;
            }
        }
    }

    bool framing_field(std::string_view name, std::string_view value) {
        if (same_word(name, "host") && kind_ == message_kind::request && !looks_like_host(value)) return false;
        if (same_word(name, "content-length")) {
            ++lengths_;
            length_ = number(value, 10);
            if (!length_) return false;
        }
        if (same_word(name, "transfer-encoding")) {
            ++codings_;
            if (!same_word(value, "chunked")) return false;
        }
        return lengths_ + codings_ <= 1 && (codings_ == 0 || !old_);
    }

    outcome body() {
        const bool answer = kind_ == message_kind::response;
        if (answer && (bodiless_ || status_ == 204 || status_ == 304)) return outcome::whole;
        if (codings_ > 0) return chunks();
        if (length_) return take(*length_);
        until_close_ = answer;
        if (answer) take(rest_.size());
        return answer ? outcome::unfinished : outcome::whole;
    }

    outcome take(std::uint64_t size) {
        const std::string_view there = rest_.substr(0, size);
        payload_ += there;
        rest_.remove_prefix(there.size());
        return there.size() == size ? outcome::whole : outcome::unfinished;
    }

    outcome chunks() {
        for (;;) {
            const auto text = line();
            if (!text) return outcome::unfinished;
            const std::string_view digits = without_blanks(text->substr(0, text->find(';')));
            const auto size = number(digits, 16);
            if (!size || !text->starts_with(digits) || !is_text(*text)) return outcome::broken;
            if (*size == 0) return fields(false);
            if (const outcome is = take(*size); is != outcome::whole) return is;
            if (rest_.size() < line_end.size())
                return line_end.starts_with(rest_) ? outcome::unfinished : outcome::broken;
            if (!rest_.starts_with(line_end)) return outcome::broken;
            rest_.remove_prefix(line_end.size());
        }
    }

    std::string_view rest_;
    message_kind kind_;
    bool bodiless_;
    bool old_ = false;
    bool until_close_ = false;
    int status_ = 0;
    int lengths_ = 0;
    int codings_ = 0;
    std::optional<std::uint64_t> length_;
    std::string payload_;
};

} // namespace

std::optional<strict_message> read_strictly(std::string_view bytes, message_kind kind, bool bodiless) {
    return reader(bytes, kind, bodiless).read();
}

} // namespace turnout::fuzz
