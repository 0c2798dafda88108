#pragma once

#include <optional>

#include "base/time.hpp"
#include "routing/circuit_settings.hpp"

namespace turnout::routing {

/// The circuit that a provider's 429 opens for everybody in a failure domain. It has no exponent and no half-open; any
/// 429 may lengthen it and none shortens it.
class capacity_circuit {
public:
    bool open(base::instant now) const { return now < until_; }
    base::instant until() const { return until_; }

    /// Stays open for `max(throttleCooldownSeconds, retry_after)`, at most `max(maxCooldownSeconds,
    /// throttleCooldownSeconds)`; an exhausted quota without `retry_after` for that maximum. True if it got longer.
    bool throttle(base::instant now, std::optional<base::milliseconds> retry_after, bool quota_exhausted,
                  const circuit_settings& settings);

private:
    base::instant until_{};
};

} // namespace turnout::routing
