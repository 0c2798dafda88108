#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "routing/circuit.hpp"
#include "routing/gate.hpp"

namespace turnout::routing {

/// Live state of one deployment at one moment: what strategies rank by and what views show.
struct deployment_snapshot {
    gate entry{}; ///< whether it would be admitted now
    circuit_phase circuit = circuit_phase::closed;
    circuit_cause cause = circuit_cause::transient; ///< meaningful unless closed
    base::instant circuit_until{};                  ///< open: its end; half-open: the end of the owner's permit, or now
    unsigned failures = 0;                          ///< counted in the running window
    unsigned openings = 0;                          ///< since it was last closed
    std::uint32_t in_flight = 0;
    std::uint64_t rpm = 0;              ///< attempts that began in this minute
    std::uint64_t tpm = 0;              ///< tokens of answers that succeeded in this minute
    std::optional<double> latency_ms{}; ///< EWMA
    std::optional<double> throughput{}; ///< EWMA of completion tokens per second
    std::uint64_t successes = 0;        ///< of the last 10 minutes
    std::uint64_t failed = 0;           ///< likewise

    bool has_record() const { return successes + failed != 0; }
    /// `successes / (successes + failed)`; 0.5 without a record.
    double health() const;
};

enum class availability { available, cooldown, half_open, rate_limited };
std::string_view to_string(availability a);

struct view_status {
    availability value = availability::available;
    std::optional<base::duration> retry_after; ///< nothing when available; 0 for a half-open circuit without an owner
};

/// What the view of a deployment says: the first match of open circuit, half-open circuit, capacity or limit.
view_status status_of(const deployment_snapshot& s, base::instant now);

} // namespace turnout::routing
