#include "routing/retry_after.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/ascii.hpp"
#include "routing/wall_time.hpp"

namespace turnout::routing {

namespace {

constexpr std::string_view remaining_prefix = "x-ratelimit-remaining";
constexpr std::string_view reset_prefix = "x-ratelimit-reset";
constexpr std::string_view anthropic_prefix = "anthropic-ratelimit-";
constexpr std::string_view remaining_suffix = "-remaining";
constexpr std::string_view reset_suffix = "-reset";
constexpr std::string_view status_suffix = "-status";

bool same(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return base::lower(x) == base::lower(y); });
}

bool begins(std::string_view text, std::string_view with) { return same(text.substr(0, with.size()), with); }

bool ends(std::string_view text, std::string_view with) {
    return text.size() >= with.size() && same(text.substr(text.size() - with.size()), with);
}

/// A plain decimal number, not negative, and what follows it.
std::optional<std::pair<double, std::string_view>> leading_decimal(std::string_view text) {
    if (text.empty() || !(text.front() == '.' || (text.front() >= '0' && text.front() <= '9'))) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    return std::pair{value, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::optional<double> number(std::string_view text) {
    const auto found = leading_decimal(text);
    if (!found || !found->second.empty()) return std::nullopt;
    return found->first;
}

/// Rounded up, since asking a little too early is asking in vain; but for a billionth, since 1.1 s are 1100 ms.
base::milliseconds at_least(double ms) {
    const double bounded = std::min(ms, static_cast<double>(longest_asked_wait.count()));
    return base::milliseconds{static_cast<std::int64_t>(std::ceil(bounded * (1 - 1e-9)))};
}

std::optional<base::milliseconds> until(base::wall_ms then, base::wall_ms now) {
    if (then.value < now.value) return std::nullopt;
    return std::min(base::milliseconds{then.value - now.value}, longest_asked_wait);
}

constexpr auto go_units = std::to_array<std::pair<std::string_view, double>>({
    {"ms", 1.0},
    {"\xC2\xB5s", 1e-3}, // micro sign
    {"us", 1e-3},
    {"ns", 1e-6},
    {"h", 3'600'000.0},
    {"m", 60'000.0},
    {"s", 1'000.0},
});

/// When a bucket is refilled: a duration, a date, seconds, or the epoch's seconds or milliseconds, told by their size.
std::optional<base::milliseconds> parse_reset(std::string_view text, base::wall_ms now) {
    if (const auto duration = parse_go_duration(text)) return duration;
    if (const auto date = parse_rfc3339(text)) return until(*date, now);
    const auto value = number(text);
    if (!value) return std::nullopt;
    if (*value >= 1e15) return std::nullopt;
    if (*value >= 1e11) return until({static_cast<std::int64_t>(*value)}, now);
    if (*value >= 1e8) return until({static_cast<std::int64_t>(std::ceil(*value * 1000))}, now);
    return at_least(*value * 1000);
}

} // namespace

void retry_hints::see(std::string_view name, std::string_view value) {
    if (same(name, "retry-after-ms")) {
        retry_after_ms_ = value;
    } else if (same(name, "retry-after")) {
        retry_after_ = value;
    } else if (same(name, "date")) {
        date_ = value;
    } else if (begins(name, remaining_prefix)) {
        find_bucket("x-ratelimit", name.substr(remaining_prefix.size())).remaining = value;
    } else if (begins(name, reset_prefix)) {
        find_bucket("x-ratelimit", name.substr(reset_prefix.size())).reset = value;
    } else if (begins(name, anthropic_prefix)) {
        const auto rest = name.substr(anthropic_prefix.size());
        if (ends(rest, remaining_suffix)) {
            find_bucket("anthropic", rest.substr(0, rest.size() - remaining_suffix.size())).remaining = value;
        } else if (ends(rest, reset_suffix)) {
            find_bucket("anthropic", rest.substr(0, rest.size() - reset_suffix.size())).reset = value;
        } else if (ends(rest, status_suffix)) {
            find_bucket("anthropic", rest.substr(0, rest.size() - status_suffix.size())).rejects =
                same(value, "rejected");
        }
    }
}

/// One provider tells only when its single bucket is refilled, not what remains in it.
bool retry_hints::bucket::is_empty() const {
    return rejects || number(remaining) == 0.0 || (name.empty() && remaining.empty());
}

std::optional<base::milliseconds> retry_hints::asked(base::wall_ms now) const {
    if (const auto ms = number(retry_after_ms_)) return at_least(*ms);
    if (const auto seconds = number(retry_after_)) return at_least(*seconds * 1000);

    const auto date = parse_http_date(retry_after_);
    return date ? until(*date, answered(now)) : std::nullopt;
}

std::optional<base::milliseconds> retry_hints::refill(base::wall_ms now) const {
    std::optional<base::milliseconds> longest;
    for (const auto& b : buckets_) {
        if (b.is_empty()) longest = std::max(longest, parse_reset(b.reset, answered(now)));
    }
    return longest > base::milliseconds{0} ? longest : std::nullopt;
}

base::wall_ms retry_hints::answered(base::wall_ms now) const { return parse_http_date(date_).value_or(now); }

retry_hints::bucket& retry_hints::find_bucket(std::string_view family, std::string_view name) {
    const auto found = std::find_if(buckets_.begin(), buckets_.end(),
                                    [&](const bucket& b) { return b.family == family && same(b.name, name); });
    if (found != buckets_.end()) return *found;
    return buckets_.emplace_back(bucket{.family = family, .name = name});
}

std::optional<base::milliseconds> parse_go_duration(std::string_view text) {
    if (text.empty()) return std::nullopt;
    double ms = 0;
    while (!text.empty()) {
        const auto value = leading_decimal(text);
        if (!value) return std::nullopt;
        const auto unit = std::find_if(go_units.begin(), go_units.end(),
                                       [&](const auto& u) { return value->second.starts_with(u.first); });
        if (unit == go_units.end()) return std::nullopt;
        ms += value->first * unit->second;
        text = value->second.substr(unit->first.size());
    }
    return at_least(ms);
}

} // namespace turnout::routing
