#pragma once

#ifdef __SSE2__
#include <bit>
#endif

#include "codec/json_special.hpp"

/// How `json_scan` passes the inside of strings; for it alone.
namespace turnout::codec::json {

/// Bytes of the escape that begins with the backslash at `at`; 0 if it is none.
unsigned escape_length(const char* at, const char* end);

/// As `find_special`, for strings that are not short.
const char* find_special_far(const char* at, const char* end, unsigned& non_ascii);

/// The first quote, backslash or control character. `non_ascii` collects whether a high byte may have been passed:
/// looking a few bytes too far only costs a needless check.
inline const char* find_special(const char* at, const char* end, unsigned& non_ascii) {
#ifdef __SSE2__
    if (end - at >= 16) { // most strings are short, which is not worth a call
        const __m128i bytes = load_16(at);
        non_ascii |= non_ascii_of(bytes);
        if (const unsigned found = special_of(bytes); found != 0) return at + std::countr_zero(found);
        at += 16;
    }
#endif
    return find_special_far(at, end, non_ascii);
}

/// Passes text and escapes as far as that is faster than `find_special`: up to the first quote at most, and before
/// whatever the caller has to look at.
const char* pass_escapes(const char* at, const char* end, unsigned& non_ascii);

} // namespace turnout::codec::json
