#include "routing/circuit.hpp"

#include <algorithm>
#include <stdexcept>

namespace turnout::routing {

namespace {

/// Length of opening `nth` (page 000, "Circuit breakers and bounded retries"): the first lasts exactly the base, the
/// nth `min(base * 2^(n-1), max(maxCooldownSeconds, base)) * U[0.9, 1]`.
base::duration length_of(unsigned nth, base::duration base, base::duration longest, double unit) {
    if (nth <= 1) return base;
    const auto cap = std::max(longest, base).count();
    const auto doublings = nth - 1;
    const bool capped = doublings >= 62 || base.count() > (cap >> doublings);
    const auto full = capped ? cap : base.count() << doublings;
    return base::duration(static_cast<base::duration::rep>(static_cast<double>(full) * (0.9 + 0.1 * unit)));
}

} // namespace

std::string_view to_string(circuit_cause cause) {
    switch (cause) {
    case circuit_cause::transient: return "transient";
    case circuit_cause::configuration: return "configuration";
    }
    return {};
}

std::string_view to_string(circuit_change change) {
    switch (change) {
    case circuit_change::none: return "none";
    case circuit_change::counted: return "counted";
    case circuit_change::opened: return "opened";
    case circuit_change::reopened: return "reopened";
    case circuit_change::closed: return "closed";
    case circuit_change::released: return "released";
    }
    return {};
}

circuit_phase circuit::phase(base::instant now) const {
    return phase_ == circuit_phase::open && now >= until_ ? circuit_phase::half_open : phase_;
}

gate circuit::entry(base::instant now) const {
    if (phase_ == circuit_phase::closed || now >= until_) return {};
    return {.why = phase_ == circuit_phase::open ? obstacle::circuit : obstacle::probe,
            .configuration = cause_ == circuit_cause::configuration,
            .until = until_};
}

circuit_permit circuit::take(base::instant now, const circuit_settings& settings) {
    if (phase_ == circuit_phase::closed) return {.token = token_, .probe = false};
    if (now < until_) throw std::logic_error("a circuit admits nobody while it is open or probed");
    phase_ = circuit_phase::half_open;
    until_ = now + settings.half_open_probe;
    return {.token = ++token_, .probe = true};
}

void circuit::renew(base::instant now, circuit_permit permit, const circuit_settings& settings) {
    if (permit.probe && permit.token == token_) until_ = now + settings.half_open_probe;
}

circuit_change circuit::settle(base::instant now, circuit_permit permit, attempt_effect effect, bool counts,
                               const circuit_settings& settings, double unit) {
    if (permit.token != token_) return circuit_change::none;
    return permit.probe ? settle_probe(now, effect, settings, unit)
                        : settle_closed(now, effect, counts, settings, unit);
}

circuit_change circuit::settle_probe(base::instant now, attempt_effect effect, const circuit_settings& settings,
                                     double unit) {
    switch (effect) {
    case attempt_effect::success:
    case attempt_effect::throttle:
    case attempt_effect::request: close(); return circuit_change::closed;
    case attempt_effect::transient:
        open(now, circuit_cause::transient, settings, unit);
        return circuit_change::reopened;
    case attempt_effect::configuration:
        open(now, circuit_cause::configuration, settings, unit);
        return circuit_change::reopened;
    case attempt_effect::missing_path:
    case attempt_effect::neutral: break;
    }
    // An opening that is over is half-open without an owner.
    phase_ = circuit_phase::open;
    until_ = now;
    ++token_;
    return circuit_change::released;
}

circuit_change circuit::settle_closed(base::instant now, attempt_effect effect, bool counts,
                                      const circuit_settings& settings, double unit) {
    switch (effect) {
    case attempt_effect::success: failures_ = 0; return circuit_change::none;
    case attempt_effect::transient: break;
    case attempt_effect::configuration:
        open(now, circuit_cause::configuration, settings, unit);
        return circuit_change::opened;
    case attempt_effect::throttle:
    case attempt_effect::request:
    case attempt_effect::missing_path:
    case attempt_effect::neutral: return circuit_change::none;
    }
    if (!counts || settings.cooldown == base::duration::zero()) return circuit_change::none;
    failures_ = failures(now, settings);
    if (failures_ == 0) window_began_ = now;
    if (++failures_ <= settings.allowed_fails) return circuit_change::counted;
    open(now, circuit_cause::transient, settings, unit);
    return circuit_change::opened;
}

unsigned circuit::failures(base::instant now, const circuit_settings& settings) const {
    return failures_ != 0 && now - window_began_ < settings.failure_window ? failures_ : 0;
}

void circuit::open(base::instant now, circuit_cause cause, const circuit_settings& settings, double unit) {
    const auto base = cause == circuit_cause::configuration ? settings.configuration_cooldown : settings.cooldown;
    phase_ = circuit_phase::open;
    cause_ = cause;
    failures_ = 0;
    ++openings_;
    ++token_;
    until_ = now + length_of(openings_, base, settings.max_cooldown, unit);
}

void circuit::close() {
    phase_ = circuit_phase::closed;
    failures_ = 0;
    openings_ = 0;
    ++token_;
}

} // namespace turnout::routing
