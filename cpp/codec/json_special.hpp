#pragma once

#ifdef __SSE2__
#include <emmintrin.h>

/// For `json_scan` and `json_string` alone.
namespace turnout::codec::json {

/// A bit for each of 16 bytes that is a quote, a backslash or a control character, the first byte lowest.
inline unsigned special_of(__m128i bytes) {
    const __m128i special = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes));
    return static_cast<unsigned>(_mm_movemask_epi8(special));
}

/// A bit for each of 16 bytes that is not ASCII.
inline unsigned non_ascii_of(__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); }

inline __m128i load_16(const char* at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)); }

} // namespace turnout::codec::json
#endif
