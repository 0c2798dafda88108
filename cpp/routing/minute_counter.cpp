#include "routing/minute_counter.hpp"

#include <limits>

namespace turnout::routing {

namespace {

constexpr std::int64_t minute_ms = 60'000;

/// Milliseconds since the minute began, also before the epoch.
std::int64_t into_minute(base::wall_ms wall) {
    const auto rest = wall.value % minute_ms;
    return rest < 0 ? rest + minute_ms : rest;
}

std::int64_t minute_of(base::wall_ms wall) { return (wall.value - into_minute(wall)) / minute_ms; }

} // namespace

void minute_counter::add(base::wall_ms wall, std::uint64_t amount) {
    count_ = count(wall);
    if (!runs_at(wall)) minute_ = minute_of(wall);
    const auto room = std::numeric_limits<std::uint64_t>::max() - count_;
    count_ += amount < room ? amount : room;
}

std::uint64_t minute_counter::count(base::wall_ms wall) const { return runs_at(wall) ? count_ : 0; }

bool minute_counter::runs_at(base::wall_ms wall) const {
    const auto minute = minute_of(wall);
    return minute == minute_ || minute == minute_ - 1;
}

base::milliseconds rest_of_minute(base::wall_ms wall) { return base::milliseconds(minute_ms - into_minute(wall)); }

} // namespace turnout::routing
