#include "codec/json_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <utility>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "codec/json_special.hpp"
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

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

/// The first quote, backslash or control character. `non_ascii` collects whether a high byte may have been passed:
/// looking a few bytes too far only costs a needless check.
const char* find_special_by_16(const char* at, const char* end, unsigned& non_ascii) {
#ifdef __SSE2__
    while (end - at >= 16) {
        const __m128i bytes = load_16(at);
        non_ascii |= non_ascii_of(bytes);
        if (const unsigned found = special_of(bytes); found != 0) return at + std::countr_zero(found);
        at += 16;
    }
#endif
    for (; at != end; ++at) {
        const auto c = static_cast<unsigned char>(*at);
        if (c == '"' || c == '\\' || c < 0x20) break;
        non_ascii |= c & 0x80U;
    }
    return at;
}

/// Bytes of `\u0000`.
constexpr int longest_escape = 6;

/// Of the escape that begins with the backslash here; 0 if it is none.
inline unsigned escape_length(const char* at, const char* end) {
    if (end - at < 2) return 0;
    const char c = at[1];
    if (c == 'n' || c == '"' || c == '\\' || c == 't' || c == '/' || c == 'r' || c == 'b' || c == 'f') return 2;
    const bool unicode =
        c == 'u' && end - at >= longest_escape && std::all_of(at + 2, at + longest_escape, is_hex_digit);
    return unicode ? longest_escape : 0;
}

#ifdef __SSE2__
/// A bit for each quote, backslash and control character.
__attribute__((target("avx2"))) inline unsigned special_of_32(__m256i bytes) {
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i backslash = _mm256_set1_epi8('\\');
    const __m256i last_control = _mm256_set1_epi8(0x1F);
    return static_cast<unsigned>(_mm256_movemask_epi8(
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash)),
                        _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, last_control), bytes))));
}

/// The same with twice the width, which long strings make worth asking the processor for.
__attribute__((target("avx2"))) const char* find_special_by_32(const char* at, const char* end, unsigned& non_ascii) {
    for (; end - at >= 32; at += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        non_ascii |= static_cast<unsigned>(_mm256_movemask_epi8(bytes));
        if (const unsigned found = special_of_32(bytes); found != 0) return at + std::countr_zero(found);
    }
    return find_special_by_16(at, end, non_ascii);
}

/// The bytes behind a backslash that begins an escape: of each run of backslashes every other one does, and the last of an
/// odd run makes the byte after it one. `carried` is whether the byte before these 32 began one, and gets whether the last
/// of these does. (The addition ripples through runs; so it is done in simdjson, after Langdale and Lemire, 2019.)
inline unsigned escaped_of(unsigned backslashes, unsigned& carried) {
    constexpr unsigned even = 0x55555555U;
    const unsigned begin = backslashes & ~carried;
    const unsigned follows = (begin << 1U) | carried;
    const unsigned odd_starts = begin & ~even & ~follows;
    const std::uint64_t ends = std::uint64_t{odd_starts} + begin;
    carried = static_cast<unsigned>(ends >> 32U);
    return (even ^ (static_cast<unsigned>(ends) << 1U)) & follows;
}

/// A bit for each byte that makes an escape of two bytes: "/\bfnrt. A byte is one if the tables of both its halves say so.
__attribute__((target("avx2"))) inline unsigned short_escapes_of_32(__m256i bytes) {
    const __m256i half = _mm256_set1_epi8(0x0F);
    const __m128i lows = _mm_setr_epi8(0, 0, 1 | 4 | 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
    const __m128i highs = _mm_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i low = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(lows), _mm256_and_si256(bytes, half));
    const __m256i high =
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(highs), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half));
    const __m256i neither = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
    return ~static_cast<unsigned>(_mm256_movemask_epi8(neither));
}

/// Passes text and the short escapes in it, which come so irregularly that a branch for each would cost more than all of
/// this. Stops at the first quote, or before what the caller has to look at: another escape, a fault, or the end.
__attribute__((target("avx2"))) const char* pass_escapes_by_32(const char* at, const char* end, unsigned& non_ascii) {
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i backslash = _mm256_set1_epi8('\\');
    const __m256i last_control = _mm256_set1_epi8(0x1F);
    const auto mask = [](__m256i v)
                          __attribute__((target("avx2"))) { return static_cast<unsigned>(_mm256_movemask_epi8(v)); };
    unsigned carried = 0;
    for (; end - at >= 32; at += 32) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        non_ascii |= mask(bytes);
        const unsigned escaped = escaped_of(mask(_mm256_cmpeq_epi8(bytes, backslash)), carried);
        const unsigned ends = mask(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote),
                                                   _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, last_control), bytes)));
        const unsigned odd = escaped & ~short_escapes_of_32(bytes);
        if (const unsigned stops = (ends & ~escaped) | odd; stops != 0) [[unlikely]] {
            const char* const stop = at + std::countr_zero(stops);
            return (odd & (stops & -stops)) != 0 ? stop - 1 : stop; // before the escape
        }
    }
    return at - carried;
}

const bool wide = __builtin_cpu_supports("avx2") != 0;
#endif

inline const char* find_special(const char* at, const char* end, unsigned& non_ascii) {
#ifdef __SSE2__
    if (end - at >= 16) { // most strings are short, which is not worth a call
        const __m128i bytes = load_16(at);
        non_ascii |= non_ascii_of(bytes);
        if (const unsigned found = special_of(bytes); found != 0) return at + std::countr_zero(found);
        at += 16;
    }
    if (wide) return find_special_by_32(at, end, non_ascii);
#endif
    return find_special_by_16(at, end, non_ascii);
}

inline const char* pass_escapes(const char* at, const char* end, unsigned& non_ascii) {
#ifdef __SSE2__
    if (wide) return pass_escapes_by_32(at, end, non_ascii);
#endif
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
    default: return first == '-' || is_digit(first) ? kind::number : kind::none;
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
        while (at != end_ && is_digit(*at)) ++at;
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
