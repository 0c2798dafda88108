#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace turnout::routing {

/// A count per minute of the wall clock, which begins anew with each minute. The minute before counts as the same, since
/// clocks of threads differ by a little; a wall clock that is set back further begins anew.
class minute_counter {
public:
    void add(base::wall_ms wall, std::uint64_t amount);
    std::uint64_t count(base::wall_ms wall) const;

private:
    bool runs_at(base::wall_ms wall) const;

    std::int64_t minute_ = 0;
    std::uint64_t count_ = 0;
};

/// How long the minute of `wall` still lasts: 1..60,000 ms.
base::milliseconds rest_of_minute(base::wall_ms wall);

} // namespace turnout::routing
