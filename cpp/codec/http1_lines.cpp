#include "codec/http1_lines.hpp"

#include <algorithm>

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
    const auto spaces = std::count(line.begin(), line.end(), ' ');
    if (spaces == 1) {
        return {problem_kind::version, "The request line has no version."};
    }
    if (spaces != 2) {
        return {problem_kind::malformed, "The request line is not a method, a target and a version."};
    }
    return judge_version(line.substr(line.rfind(' ') + 1));
}

} // namespace

bool line_watch::accept(std::string_view bytes) {
    while (!bytes.empty()) {
        if ((last_ == '\r' && bytes.front() != '\n') || (last_ == '\n' && is_blank(bytes.front()))) {
            return false;
        }
        const std::size_t lf = bytes.find('\n');
        const std::string_view line = bytes.substr(0, lf);
        const std::size_t cr = line.find('\r');
        const bool cr_only_at_end = cr == std::string_view::npos || cr + 1 == line.size();
        if (lf == std::string_view::npos) {
            last_ = line.back();
            return cr_only_at_end;
        }
        const char before_lf = line.empty() ? last_ : line.back();
        if (!cr_only_at_end || before_lf != '\r') {
            return false;
        }
        last_ = '\n';
        bytes.remove_prefix(lf + 1);
    }
    return true;
}

refusal start_line_watch::accept(std::string_view bytes, message_kind kind) {
    if (done_) {
        return {};
    }
    const std::size_t lf = bytes.find('\n');
    line_.append(bytes.substr(0, lf));
    if (lf == std::string_view::npos) {
        return {};
    }
    done_ = true;
    std::string_view line = line_;
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
