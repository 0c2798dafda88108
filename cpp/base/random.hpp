#pragma once

#include <cstdint>

namespace turnout::base {

/// Where pure code gets chance from. The shell seeds it; a test seeds it with a constant.
class random_source {
public:
    virtual ~random_source() = default;

    /// 64 independent uniform bits.
    virtual std::uint64_t next() = 0;

    /// Uniform in [0, 1) with 53 bits.
    double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    /// Uniform in [0, bound), without the bias of a bare remainder. Precondition: `bound` is not 0.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t uneven = (0 - bound) % bound; // as many low values would be drawn once too often
        std::uint64_t drawn = next();
        while (drawn < uneven) drawn = next();
        return drawn % bound;
    }
};

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and good enough to draw deployments and ids.
class splitmix final : public random_source {
public:
    explicit splitmix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() override {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t state_;
};

} // namespace turnout::base
