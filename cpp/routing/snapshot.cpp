#include "routing/snapshot.hpp"

#include <algorithm>

namespace turnout::routing {

double deployment_snapshot::health() const {
    if (!has_record()) return 0.5;
    return static_cast<double>(successes) / (static_cast<double>(successes) + static_cast<double>(failed));
}

std::string_view to_string(availability a) {
    switch (a) {
    case availability::available: return "available";
    case availability::cooldown: return "cooldown";
    case availability::half_open: return "half_open";
    case availability::rate_limited: return "rate_limited";
    }
    return {};
}

view_status status_of(const deployment_snapshot& s, base::instant now) {
    const auto rest = [now](base::instant until) { return std::max(until - now, base::duration::zero()); };
    switch (s.circuit) {
    case circuit_phase::open: return {availability::cooldown, rest(s.circuit_until)};
    case circuit_phase::half_open: return {availability::half_open, rest(s.circuit_until)};
    case circuit_phase::closed: break;
    }
    if (s.entry.open()) return {};
    if (s.entry.why == obstacle::circuit) return {availability::cooldown, rest(s.entry.until)}; // it lacks a path
    return {availability::rate_limited, rest(s.entry.until)};
}

} // namespace turnout::routing
