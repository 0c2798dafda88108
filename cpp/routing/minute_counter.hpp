#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace turnout::routing {

/// A count per minute of the wall clock, which begins anew with each minute. Time that goes back is the same minute.
class minute_counter {
public:
    void add(base::wall_ms wall, std::uint64_t amount);
    std::uint64_t count(base::wall_ms wall) const;

private:
    std::int64_t minute_ = 0;
    std::uint64_t count_ = 0;
};

/// How long the minute of `wall` still lasts: 1..60,000 ms.
base::milliseconds rest_of_minute(base::wall_ms wall);

} // namespace turnout::routing
