#pragma once

#include <array>
#include <cstddef>
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
    static constexpr std::int64_t length = 60; ///< buckets

    struct bucket {
        std::uint32_t successes = 0;
        std::uint32_t failures = 0;
    };

    void advance(std::int64_t slot);
    static std::size_t index_of(std::int64_t slot);
    bucket& bucket_of(std::int64_t slot) { return buckets_[index_of(slot)]; }

    std::array<bucket, length> buckets_{}; ///< of `newest_` and the slots before it
    std::int64_t newest_ = 0;              ///< ten-second slot of the time line
    counts total_;                         ///< sum of `buckets_`, so that a read needs no walk through them
};

} // namespace turnout::routing
