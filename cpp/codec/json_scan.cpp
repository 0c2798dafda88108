#include "codec/json_scan.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.hpp"
#include "codec/json_string_scan.hpp"
#include "codec/utf8.hpp"

namespace turnout::codec::json {
namespace {

bool is_blank(char c) {
    return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}
/// Text is mostly compact: the first byte is rarely blank.
inline const char* pass_blank(const char* at, const char* end) {
    while (at != end && is_blank(*at)) [[unlikely]]
        ++at;
    return at;
}

/// Which of the open brackets are objects, by depth.
class bracket_stack {
public:
    void set(unsigned depth, bool object) {
        const std::uint64_t bit = std::uint64_t{1} << (depth % 64);
        if (object) {
            bits_[depth / 64] |= bit;
        } else {
            bits_[depth / 64] &= ~bit;
        }
    }
    bool is_object(unsigned depth) const { return ((bits_[depth / 64] >> (depth % 64)) & 1U) != 0; }

private:
    std::array<std::uint64_t, max_depth / 64 + 1> bits_{};
};

} // namespace

bool scanner::fail(fault f) {
    if (fault_ == fault::none) {
        fault_ = f;
        fault_at_ = at_;
    }
    at_ = end_;
    return false;
}

std::size_t scanner::offset() const {
    return static_cast<std::size_t>((fault_ == fault::none ? at_ : fault_at_) - begin_);
}

inline void scanner::blank() { at_ = pass_blank(at_, end_); }

kind kind_of(char first) {
    switch (first) {
    case '{': return kind::object;
    case '[': return kind::array;
    case '"': return kind::string;
    case 't':
    case 'f': return kind::boolean;
    case 'n': return kind::null;
    default: return first == '-' || base::is_digit(first) ? kind::number : kind::none;
    }
}

kind scanner::peek() {
    blank();
    return at_ == end_ ? kind::none : kind_of(*at_);
}

bool scanner::scan_escape() {
    const unsigned length = escape_length(at_, end_);
    at_ += length == 0 ? 1 : length; // a fault is at what follows the backslash
    return length != 0 || fail(fault::syntax);
}

inline bool scanner::scan_string(string_token& value) {
    const char* const start = at_ + 1;
    const char* const at = find_special(start, end_, non_ascii_);
    if (at == end_ || *at != '"') [[unlikely]]
        return scan_escaped_string(value, start, at);
    at_ = at + 1;
    value.raw = std::string_view(start, static_cast<std::size_t>(at - start));
    value.escaped = false;
    return true;
}

bool scanner::scan_escaped_string(string_token& value, const char* start, const char* at) {
    while (at == end_ || *at != '"') {
        at_ = at;
        if (at == end_ || *at != '\\') return fail(fault::syntax);
        if (!scan_escape()) return false;
        at = find_special(pass_escapes(at_, end_, non_ascii_), end_, non_ascii_);
    }
    at_ = at + 1;
    value.raw = std::string_view(start, static_cast<std::size_t>(at - start));
    value.escaped = true;
    return true;
}

bool scanner::scan_number() {
    const char* at = at_;
    const auto digits = [&] {
        const char* const start = at;
        while (at != end_ && base::is_digit(*at)) ++at;
        return at != start;
    };
    const auto wrong = [&] {
        at_ = at;
        return fail(fault::syntax);
    };
    if (*at == '-') ++at;
    if (at != end_ && *at == '0') {
        ++at;
    } else if (!digits()) {
        return wrong();
    }
    if (at != end_ && *at == '.') {
        ++at;
        if (!digits()) return wrong();
    }
    if (at != end_ && (*at == 'e' || *at == 'E')) {
        ++at;
        if (at != end_ && (*at == '+' || *at == '-')) ++at;
        if (!digits()) return wrong();
    }
    at_ = at;
    return true;
}

inline bool scanner::scan_literal(std::string_view literal) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(literal)) return fail(fault::syntax);
    at_ += literal.size();
    return true;
}

inline bool scanner::scan_scalar() {
    if (at_ == end_) return fail(fault::syntax);
    string_token ignored;
    switch (*at_) {
    case '"': return scan_string(ignored);
    case 't': return scan_literal("true");
    case 'f': return scan_literal("false");
    case 'n': return scan_literal("null");
    default: return scan_number();
    }
}

inline bool scanner::scan_name(string_token& name) {
    blank();
    if (at_ == end_ || *at_ != '"') return fail(fault::syntax);
    if (!scan_string(name)) return false;
    blank();
    if (at_ == end_ || *at_ != ':') return fail(fault::syntax);
    ++at_;
    return true;
}

bool scanner::begin(char bracket) {
    blank();
    if (at_ == end_ || *at_ != bracket) return fail(fault::syntax);
    if (++depth_ > deepest_) return fail(fault::depth);
    ++at_;
    fresh_ = true;
    return true;
}

bool scanner::begin_object() { return begin('{'); }
bool scanner::begin_array() { return begin('['); }

/// Passes the comma before another member or element; false at the closing bracket, which is passed too.
inline bool scanner::next(char closing) {
    const char* const at = pass_blank(at_, end_);
    const bool first = std::exchange(fresh_, false);
    at_ = at;
    if (at == end_) return fail(fault::syntax);
    if (*at == ',' && !first) {
        at_ = at + 1;
        return true;
    }
    if (*at == closing) {
        at_ = at + 1;
        --depth_;
        return false;
    }
    return first || fail(fault::syntax);
}

bool scanner::next_member(string_token& name) { return next('}') && scan_name(name); }
bool scanner::next_element() { return next(']'); }

bool scanner::read_string(string_token& value) {
    blank();
    if (at_ == end_ || *at_ != '"') return fail(fault::syntax);
    return scan_string(value);
}

bool scanner::skip(std::string_view& value) {
    blank();
    const char* const start = at_;
    if (!(at_ != end_ && (*at_ == '{' || *at_ == '[') ? skip_nested() : scan_scalar())) return false;
    value = std::string_view(start, static_cast<std::size_t>(at_ - start));
    return true;
}

bool scanner::skip() {
    blank();
    return at_ != end_ && (*at_ == '{' || *at_ == '[') ? skip_nested() : scan_scalar();
}

bool scanner::pass(std::string_view value) {
    blank();
    if (fault_ != fault::none || !std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(value))
        return false;
    at_ += value.size();
    return true;
}

bool scanner::skip_nested() {
    const unsigned base = depth_;
    bracket_stack open;
    string_token name;
    for (;;) {
        blank();
        if (at_ != end_ && (*at_ == '{' || *at_ == '[')) {
            const bool object = *at_ == '{';
            if (++depth_ > deepest_) return fail(fault::depth);
            open.set(depth_, object);
            ++at_;
            blank();
            if (at_ == end_ || *at_ != (object ? '}' : ']')) {
                if (object && !scan_name(name)) return false;
                continue;
            }
            ++at_;
            --depth_;
        } else if (!scan_scalar()) {
            return false;
        }
        for (;;) { // a value has ended: close what ends with it
            if (depth_ == base) return true;
            blank();
            if (at_ == end_) return fail(fault::syntax);
            const bool object = open.is_object(depth_);
            if (*at_ == ',') {
                ++at_;
                if (object && !scan_name(name)) return false;
                break;
            }
            if (*at_ != (object ? '}' : ']')) return fail(fault::syntax);
            ++at_;
            --depth_;
        }
    }
}

bool scanner::finish() {
    if (fault_ != fault::none) return false;
    blank();
    if (at_ != end_) return fail(fault::syntax);
    const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
    return non_ascii_ == 0 || is_utf8(text) || fail(fault::utf8);
}

std::optional<std::int64_t> to_integer(std::string_view number) {
    std::int64_t value = 0;
    const char* const end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

bool is_json(std::string_view text) {
    scanner s(text);
    return s.skip() && s.finish();
}

std::string_view string_at(std::string_view text) {
    scanner s(text);
    string_token value;
    return text.starts_with('"') && s.read_string(value) && is_utf8(value.raw) ? value.raw : std::string_view();
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

} // namespace turnout::codec::json
