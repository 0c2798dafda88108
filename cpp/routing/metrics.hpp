#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/time.hpp"

namespace turnout::routing {

/// Exponentially weighted moving average with alpha 0.2; the first sample is taken as it is. Samples that are not
/// finite, or negative, are dropped.
class moving_average {
public:
    void add(double sample);
    std::optional<double> value() const { return value_; }

private:
    std::optional<double> value_;
};

/// Successes and failures of the last 10 minutes, in buckets of 10 seconds.
class rolling_health {
public:
    struct counts {
        std::uint64_t successes = 0;
        std::uint64_t failures = 0;
    };

    void add(base::instant now, bool success);
    counts read(base::instant now) const;

private:
    struct bucket {
        std::int64_t slot = -1; ///< ten-second slot of the time line
        std::uint32_t successes = 0;
        std::uint32_t failures = 0;
    };
    std::array<bucket, 60> buckets_{};
};

} // namespace turnout::routing
