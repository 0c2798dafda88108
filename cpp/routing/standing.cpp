#include "routing/standing.hpp"

#include <algorithm>

namespace turnout::routing {
namespace {

bool refused(const standing& s) { return s.known && !s.last.open(); }

shortage shortage_of(std::span<const standing> pool) {
    bool any = false;
    bool all_misconfigured = true;
    for (const auto& s : pool) {
        if (!refused(s)) continue;
        any = true;
        switch (s.last.why) {
        case obstacle::limit:
        case obstacle::capacity: return shortage::limits;
        case obstacle::circuit:
        case obstacle::probe: all_misconfigured = all_misconfigured && s.last.configuration; break;
        case obstacle::none: break;
        }
    }
    if (!any) return shortage::nobody;
    return all_misconfigured ? shortage::misconfigured : shortage::circuits;
}

} // namespace

unserved why_unserved(std::span<const standing> primary, std::span<const standing> all) {
    unserved result{.why = shortage_of(primary), .earliest = {}};
    for (const auto& s : all)
        if (refused(s) && (!result.earliest || s.last.until < *result.earliest)) result.earliest = s.last.until;
    return result;
}

} // namespace turnout::routing
