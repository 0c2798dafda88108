#include "admin/log_query.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "gateway/query_string.hpp"
#include "routing/failure_class.hpp"
#include "routing/wall_time.hpp"

namespace turnout::admin {
namespace {

using problem = std::optional<std::string>; ///< what is wrong with a value

constexpr std::int64_t highest_limit = 500;
constexpr std::int64_t highest_offset = 1'000'000'000;
constexpr std::int64_t highest_time = 253'402'300'799'999; ///< the last millisecond of the year 9999

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least, std::int64_t most) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n < least || n > most) return std::nullopt;
    return n;
}

problem read_text(std::optional<std::string>& out, const std::string& value) {
    out = value;
    return std::nullopt;
}

problem read_flag(std::optional<bool>& out, std::string_view value) {
    if (value != "true" && value != "false") return "must be true or false";
    out = value == "true";
    return std::nullopt;
}

problem read_duration(std::optional<base::milliseconds>& out, std::string_view value) {
    const auto n = whole_number(value, 0, highest_time);
    if (!n) return "must be a whole number of milliseconds";
    out = base::milliseconds(*n);
    return std::nullopt;
}

problem read_time(std::optional<base::wall_ms>& out, std::string_view value) {
    if (const auto n = whole_number(value, 0, highest_time))
        out = base::wall_ms{*n};
    else
        out = routing::parse_rfc3339(value);
    if (out) return std::nullopt;
    return "must be a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970";
}

problem read_deployment(std::optional<std::string>& out, const std::string& value) {
    constexpr std::string_view prefix = "dep_";
    constexpr std::size_t digits = 12;
    const bool fits = value.starts_with(prefix) && value.size() == prefix.size() + digits
                      && value.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
    if (!fits) return "must be an id of a deployment: dep_ and 12 hexadecimal digits";
    return read_text(out, value);
}

template <std::size_t N>
problem read_word(std::optional<std::string>& out, const std::string& value,
                  const std::array<std::string_view, N>& known) {
    if (std::find(known.begin(), known.end(), value) != known.end()) return read_text(out, value);
    std::string message = "must be one of";
    for (const auto word : known) message.append(word == known.front() ? " " : ", ").append(word);
    return message;
}

problem read_outcome(std::optional<std::string>& out, const std::string& value) {
    return read_word(out, value, std::to_array<std::string_view>({"success", "error", "cancelled"}));
}

problem read_failure(std::optional<std::string>& out, const std::string& value) {
    using routing::failure_class;
    using routing::to_string;
    return read_word(out, value,
                     std::array{to_string(failure_class::request), to_string(failure_class::context_window),
                                to_string(failure_class::content_policy), to_string(failure_class::throttle),
                                to_string(failure_class::transient), to_string(failure_class::configuration),
                                to_string(failure_class::incompatible), to_string(failure_class::gateway)});
}

problem read_count(std::size_t& out, std::string_view value, std::int64_t least, std::int64_t most) {
    const auto n = whole_number(value, least, most);
    if (!n) return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    out = static_cast<std::size_t>(*n);
    return std::nullopt;
}

problem read_parameter(log_query& q, std::string_view name, const std::string& value) {
    auto& f = q.wanted;
    if (value.empty()) return "must not be empty";
    if (name == "limit") return read_count(q.limit, value, 1, highest_limit);
    if (name == "offset") return read_count(q.offset, value, 0, highest_offset);
    if (name == "requestId") return read_text(f.request_id, value);
    if (name == "publicModel") return read_text(f.public_model, value);
    if (name == "callType") return read_text(f.call_type, value);
    if (name == "adapterKey") return read_text(f.adapter, value);
    if (name == "deploymentId") return read_deployment(f.deployment, value);
    if (name == "outcome") return read_outcome(f.outcome, value);
    if (name == "failureKind") return read_failure(f.failure, value);
    if (name == "stream") return read_flag(f.stream, value);
    if (name == "degraded") return read_flag(f.degraded, value);
    if (name == "minDurationMs") return read_duration(f.min_duration, value);
    if (name == "maxDurationMs") return read_duration(f.max_duration, value);
    if (name == "start") return read_time(f.start, value);
    if (name == "end") return read_time(f.end, value);
    return "is not known here";
}

} // namespace

std::variant<log_query, bad_parameter> parse_log_query(std::string_view target) {
    const auto parameters = gateway::parse_query(target);
    if (!parameters) return bad_parameter{"", std::string(broken_encoding)};
    log_query q;
    std::set<std::string_view> seen;
    for (const auto& [name, value] : *parameters) {
        auto wrong = seen.insert(name).second ? read_parameter(q, name, value) : "must not be given twice";
        if (wrong) return bad_parameter{name, std::move(*wrong)};
    }
    return q;
}

} // namespace turnout::admin
