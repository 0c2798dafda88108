#pragma once

#include <chrono>
#include <cstdint>

namespace turnout::base {

using milliseconds = std::chrono::milliseconds;
using duration = std::chrono::nanoseconds;

/// The time line that deadlines live on. It has no `now()` on purpose: pure code is told the time.
struct steady_line {
    using rep = std::int64_t;
    using period = std::nano;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<steady_line>;
    static constexpr bool is_steady = true;
};

using instant = steady_line::time_point;

/// Wall-clock time in milliseconds since the Unix epoch, for `created`, logs and per-minute counters.
struct wall_ms {
    std::int64_t value = 0;
};

} // namespace turnout::base
