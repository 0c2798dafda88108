#include "routing/metrics.hpp"

#include <chrono>
#include <cmath>

namespace turnout::routing {

void moving_average::add(double sample) {
    if (!std::isfinite(sample) || sample < 0) return;
    constexpr double alpha = 0.2;
    value_ = value_ ? alpha * sample + (1 - alpha) * *value_ : sample;
}

namespace {

std::int64_t slot_of(base::instant now) {
    return std::chrono::floor<std::chrono::duration<std::int64_t, std::ratio<10>>>(now.time_since_epoch()).count();
}

} // namespace

void rolling_health::add(base::instant now, bool success) {
    const auto slot = slot_of(now);
    advance(slot);
    if (slot <= newest_ - length) return;
    auto& at = bucket_of(slot);
    ++(success ? at.successes : at.failures);
    ++(success ? total_.successes : total_.failures);
}

rolling_health::counts rolling_health::read(base::instant now) const {
    const auto slot = slot_of(now);
    if (slot - newest_ >= length) return {};
    auto result = total_;
    for (auto s = newest_ + 1; s <= slot; ++s) {
        const auto& expired = buckets_[index_of(s)];
        result.successes -= expired.successes;
        result.failures -= expired.failures;
    }
    return result;
}

void rolling_health::advance(std::int64_t slot) {
    if (slot - newest_ >= length) {
        *this = {};
        newest_ = slot;
    }
    while (newest_ < slot) {
        auto& expired = bucket_of(++newest_);
        total_.successes -= expired.successes;
        total_.failures -= expired.failures;
        expired = {};
    }
}

std::size_t rolling_health::index_of(std::int64_t slot) {
    const auto rest = slot % length;
    return static_cast<std::size_t>(rest < 0 ? rest + length : rest);
}

} // namespace turnout::routing
