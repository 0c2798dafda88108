#include "codec/json_string_scan.hpp"

#include <algorithm>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/ascii.hpp"

namespace turnout::codec::json {
namespace {

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

} // namespace

unsigned escape_length(const char* at, const char* end) {
    constexpr int longest = 6; // \u0000
    if (end - at < 2) return 0;
    const char c = at[1];
    if (c == 'n' || c == '"' || c == '\\' || c == 't' || c == '/' || c == 'r' || c == 'b' || c == 'f') return 2;
    const bool unicode = c == 'u' && end - at >= longest && std::all_of(at + 2, at + longest, base::is_hex_digit);
    return unicode ? longest : 0;
}

const char* find_special_far(const char* at, const char* end, unsigned& non_ascii) {
#ifdef __SSE2__
    if (wide) return find_special_by_32(at, end, non_ascii);
#endif
    return find_special_by_16(at, end, non_ascii);
}

const char* pass_escapes(const char* at, const char* end, [[maybe_unused]] unsigned& non_ascii) {
#ifdef __SSE2__
    if (wide) return pass_escapes_by_32(at, end, non_ascii);
#endif
    return at;
}

} // namespace turnout::codec::json
