#include "routing/leases.hpp"

#include <algorithm>

namespace turnout::routing {

void leases::hold(base::instant now, lease_number lease, base::instant expiry) {
    make_room(now);
    const auto at = std::ranges::lower_bound(slots_, lease, {}, &slot::lease);
    if (at != slots_.end() && at->lease == lease) {
        at->expiry = expiry;
    } else {
        slots_.insert(at, {lease, expiry});
    }
}

bool leases::release(lease_number lease) {
    const auto at = std::ranges::lower_bound(slots_, lease, {}, &slot::lease);
    if (at == slots_.end() || at->lease != lease) return false;
    slots_.erase(at);
    return true;
}

std::size_t leases::count(base::instant now) const {
    return static_cast<std::size_t>(std::ranges::count_if(slots_, [&](const slot& s) { return s.expiry > now; }));
}

/// Slots whose time is long over are dropped before the list would grow, which keeps it as short as what is in flight
/// and costs nothing while nobody is lost.
void leases::make_room(base::instant now) {
    if (slots_.size() < slots_.capacity()) return;
    std::erase_if(slots_, [&](const slot& s) { return s.expiry + std::chrono::hours(1) <= now; });
}

} // namespace turnout::routing
