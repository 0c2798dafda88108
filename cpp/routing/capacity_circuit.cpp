#include "routing/capacity_circuit.hpp"

#include <algorithm>

namespace turnout::routing {

bool capacity_circuit::throttle(base::instant now, std::optional<base::milliseconds> retry_after, bool quota_exhausted,
                                const circuit_settings& settings) {
    const auto longest = std::max(settings.max_cooldown, settings.throttle_cooldown);
    auto length = settings.throttle_cooldown;
    if (retry_after) {
        // Compared as milliseconds, since a provider may ask for more than nanoseconds can say.
        const bool capped = *retry_after >= std::chrono::ceil<base::milliseconds>(longest);
        length = capped ? longest : std::max<base::duration>(length, *retry_after);
    } else if (quota_exhausted) {
        length = longest;
    }
    const auto until = now + length;
    if (until <= std::max(until_, now)) return false;
    until_ = until;
    return true;
}

} // namespace turnout::routing
