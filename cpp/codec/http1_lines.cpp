#include "codec/http1_lines.hpp"

#include <algorithm>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/ascii.hpp"

namespace turnout::codec::http1 {

namespace {

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
    const bool three = status.size() >= 4 && std::all_of(status.begin() + 1, status.begin() + 4, base::is_digit);
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

#ifdef __SSE2__
/// Whether the 16 bytes at `at`, which follow `before`, have CR and LF in pairs only and no blank after a pair. One bit
/// per byte, the first byte lowest.
bool lines_fit(const char* at, char before) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto all = [&](char c) {
        return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(c))));
    };
    const unsigned crs = all('\r');
    const unsigned lfs = all('\n');
    const unsigned after_cr = ((crs << 1U) | (before == '\r' ? 1U : 0U)) & 0xFFFFU;
    if (after_cr != lfs) return false;
    const unsigned after_lf = (lfs << 1U) | (before == '\n' ? 1U : 0U);
    return after_lf == 0 || (after_lf & (all(' ') | all('\t'))) == 0;
}
#endif

} // namespace

bool line_watch::accept(std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        if (!lines_fit(at, last_)) return false;
        last_ = at[15];
    }
    if (at != end && bytes.size() > 16) { // the rest with some of what was looked at, instead of one by one
        const char* const block = end - 16;
        if (!lines_fit(block, block[-1])) return false;
        last_ = block[15];
        return true;
    }
#endif
    for (; at != end; ++at) {
        if ((last_ == '\r') != (*at == '\n') || (last_ == '\n' && base::is_blank(*at))) return false;
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
