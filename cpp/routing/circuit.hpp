#pragma once

#include <cstdint>
#include <string_view>

#include "base/time.hpp"
#include "routing/circuit_settings.hpp"
#include "routing/gate.hpp"

namespace turnout::routing {

enum class circuit_phase { closed, open, half_open };
enum class circuit_cause { transient, configuration };
std::string_view to_string(circuit_cause cause);

/// What an attempt's end means for its deployment.
enum class attempt_effect {
    success,
    transient,     ///< counted towards the circuit, a failure in the health score
    configuration, ///< opens the circuit at once, a failure in the health score
    missing_path,  ///< closes the path at once, and says nothing of the deployment's others
    throttle,      ///< opens the capacity circuit; the upstream is alive
    request,       ///< the upstream is alive and the caller at fault
    neutral,       ///< says nothing of the upstream
};

enum class circuit_change {
    none,
    counted,  ///< one more failure in the window
    opened,   ///< from closed
    reopened, ///< a probe failed
    closed,   ///< a probe succeeded
    released, ///< a probe ended without an answer to its question: the next request may probe
};
std::string_view to_string(circuit_change change);

/// Leave to call the deployment. Results that carry the token of an older opening or probe change nothing. A probe whose
/// time is over is still the current one until somebody else takes over.
struct circuit_permit {
    std::uint64_t token = 0;
    bool probe = false;
};

/// The circuit of one deployment. Closed: counts failures in a fixed window that begins with the first of them. Open:
/// admits nobody until its time is over. Half-open: one owner at a time probes.
class circuit {
public:
    circuit_phase phase(base::instant now) const;

    /// Whether somebody may be admitted now.
    gate entry(base::instant now) const;

    /// Admits one attempt, as the probe if half-open. Precondition: `entry(now).open()` (`std::logic_error`).
    circuit_permit take(base::instant now, const circuit_settings& settings);

    /// Keeps the probe for another `half_open_probe`; anything but the current probe's permit is ignored.
    void renew(base::instant now, circuit_permit permit, const circuit_settings& settings);

    /// Takes in how an attempt ended. `counts`: whether a transient failure is the first of its logical request on this
    /// deployment. `unit` is uniform in [0, 1) and spreads the lengths of reopenings.
    circuit_change settle(base::instant now, circuit_permit permit, attempt_effect effect, bool counts,
                          const circuit_settings& settings, double unit);

    /// Failures counted in the window that is running.
    unsigned failures(base::instant now, const circuit_settings& settings) const;
    /// How often it opened since it was last closed.
    unsigned openings() const { return openings_; }
    /// Why it opened last; meaningful unless closed.
    circuit_cause cause() const { return cause_; }
    /// Open: when it becomes half-open. Half-open: when the owner's permit ends, at most now if there is no owner.
    base::instant until() const { return until_; }

private:
    circuit_change settle_probe(base::instant now, attempt_effect effect, const circuit_settings& settings,
                                double unit);
    circuit_change settle_closed(base::instant now, attempt_effect effect, bool counts,
                                 const circuit_settings& settings, double unit);
    void open(base::instant now, circuit_cause cause, const circuit_settings& settings, double unit);
    void close();

    circuit_phase phase_ = circuit_phase::closed; ///< half-open only while somebody owns the probe, or has lost it
    circuit_cause cause_ = circuit_cause::transient;
    unsigned failures_ = 0;
    unsigned openings_ = 0;
    std::uint64_t token_ = 1;
    base::instant window_began_{};
    base::instant until_{};
};

} // namespace turnout::routing
