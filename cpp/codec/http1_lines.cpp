#include "codec/http1_lines.hpp"

#include <algorithm>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace turnout::codec::http1 {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

refusal judge_version(std::string_view version) {
    if (version == "HTTP/1.1" || version == "HTTP/1.0") {
        return {};
    }
    if (version.starts_with("HTTP/")) {
        return {problem_kind::version, "The version is not HTTP/1.0 or HTTP/1.1."};
    }
    return {problem_kind::malformed, "The protocol is not HTTP."};
}

refusal judge_status_line(std::string_view line) {
    const std::size_t space = std::min(line.find(' '), line.size());
    if (const refusal why = judge_version(line.substr(0, space)); why.kind != problem_kind::none) {
        return why;
    }
    const std::string_view status = line.substr(space);
    const bool three = status.size() >= 4 && std::all_of(status.begin() + 1, status.begin() + 4, is_digit);
    if (!three || (status.size() > 4 && status[4] != ' ')) {
        return {problem_kind::malformed, "The status code is not three digits."};
    }
    return {};
}

refusal judge_request_line(std::string_view line) {
    if (line == "PRI * HTTP/2.0") {
        return {problem_kind::upgrade, "HTTP/2 is not supported."};
    }
    const std::size_t after_method = line.find(' ');
    const std::size_t after_target = after_method == line.npos ? line.npos : line.find(' ', after_method + 1);
    if (after_method != line.npos && after_target == line.npos) {
        return {problem_kind::version, "The request line has no version."};
    }
    if (after_method == line.npos || line.find(' ', after_target + 1) != line.npos) {
        return {problem_kind::malformed, "The request line is not a method, a target and a version."};
    }
    return judge_version(line.substr(after_target + 1));
}

} // namespace

bool line_watch::accept(std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
#ifdef __SSE2__
    const __m128i cr = _mm_set1_epi8('\r');
    const __m128i lf = _mm_set1_epi8('\n');
    const __m128i space = _mm_set1_epi8(' ');
    const __m128i tab = _mm_set1_epi8('\t');
    for (; end - at >= 16; at += 16) { // one bit per byte, the first byte lowest
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const auto bits = [](__m128i found) { return static_cast<unsigned>(_mm_movemask_epi8(found)); };
        const unsigned crs = bits(_mm_cmpeq_epi8(block, cr));
        const unsigned lfs = bits(_mm_cmpeq_epi8(block, lf));
        const unsigned blanks = bits(_mm_or_si128(_mm_cmpeq_epi8(block, space), _mm_cmpeq_epi8(block, tab)));
        const unsigned after_cr = ((crs << 1U) | (last_ == '\r' ? 1U : 0U)) & 0xFFFFU;
        const unsigned after_lf = (lfs << 1U) | (last_ == '\n' ? 1U : 0U);
        if (after_cr != lfs || (after_lf & blanks) != 0) return false;
        last_ = at[15];
    }
#endif
    for (; at != end; ++at) {
        if ((last_ == '\r') != (*at == '\n') || (last_ == '\n' && is_blank(*at))) return false;
        last_ = *at;
    }
    return true;
}

refusal start_line_watch::accept(std::string_view bytes, message_kind kind) {
    if (done_) {
        return {};
    }
    const std::size_t lf = bytes.find('\n');
    std::string_view line = bytes.substr(0, lf);
    if (!line_.empty() || lf == std::string_view::npos) {
        line_.append(line);
        line = line_;
    }
    if (lf == std::string_view::npos) {
        return {};
    }
    done_ = true;
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return kind == message_kind::request ? judge_request_line(line) : judge_status_line(line);
}

void start_line_watch::reset() {
    line_.clear();
    done_ = false;
}

} // namespace turnout::codec::http1
