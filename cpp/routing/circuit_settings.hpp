#pragma once

#include <chrono>

#include "base/time.hpp"

namespace turnout::routing {

/// The global circuit controls, with the documented defaults (page 000, "Circuit breakers and bounded retries").
struct circuit_settings {
    unsigned allowed_fails = 3;                                        ///< `allowedFails`
    base::duration cooldown = std::chrono::seconds(5);                 ///< `cooldownSeconds`; 0: no transient circuits
    base::duration failure_window = std::chrono::seconds(60);          ///< `failureWindowSeconds`
    base::duration max_cooldown = std::chrono::seconds(300);           ///< `maxCooldownSeconds`
    base::duration half_open_probe = std::chrono::seconds(30);         ///< `halfOpenProbeSeconds`
    base::duration configuration_cooldown = std::chrono::seconds(300); ///< `configurationCooldownSeconds`
    base::duration throttle_cooldown = std::chrono::seconds(5);        ///< `throttleCooldownSeconds`
};

} // namespace turnout::routing
