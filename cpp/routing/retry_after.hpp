#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace turnout::routing {

/// Longer waits count as this long.
constexpr base::milliseconds longest_asked_wait = std::chrono::hours{24};

/// Finds out how long a failed answer asks to wait. Show it every header, then ask. It keeps views of names and values.
/// Values that are no numbers or dates, are negative or in the past count as absent.
class retry_hints {
public:
    void see(std::string_view name, std::string_view value);

    /// What the answer asks for: `retry-after-ms`; `retry-after` as a number of seconds, then as a date, which is
    /// compared with the answer's own `date` or else with now.
    std::optional<base::milliseconds> asked(base::wall_ms now) const;

    /// When the last of the empty buckets is refilled, if that takes time at all. A bucket is empty that has nothing
    /// remaining (`x-ratelimit-remaining-*` with `x-ratelimit-reset-*`, `anthropic-ratelimit-*-remaining` with
    /// `-reset`) or that rejects (`anthropic-ratelimit-unified-*-status`); so is `x-ratelimit-reset` on its own.
    std::optional<base::milliseconds> refill(base::wall_ms now) const;

private:
    struct bucket {
        std::string_view family; ///< whose naming it follows
        std::string_view name;
        std::string_view remaining = {};
        std::string_view reset = {};
        bool rejects = false;

        bool is_empty() const;
    };

    bucket& find_bucket(std::string_view family, std::string_view name);
    base::wall_ms answered(base::wall_ms now) const;

    std::string_view retry_after_ms_;
    std::string_view retry_after_;
    std::string_view date_;
    std::vector<bucket> buckets_;
};

/// `6m0s`, `1.5s`, `12ms`, `1h2m`, as Go writes durations. Not negative.
std::optional<base::milliseconds> parse_go_duration(std::string_view text);

} // namespace turnout::routing
