#include "routing/deployment_state.hpp"

#include <algorithm>

namespace turnout::routing {

namespace {

/// One more thing in the way: the first that was found keeps its name, the last to go says until when.
void add_obstacle(gate& g, obstacle why, base::instant until) {
    if (g.open()) g.why = why;
    g.until = std::max(g.until, until);
}

bool reached(std::optional<std::uint64_t> limit, std::uint64_t count) { return limit && count >= *limit; }

} // namespace

base::duration renewal_interval(circuit_permit permit, const circuit_settings& settings) {
    return (permit.probe ? std::min(lease_time, settings.half_open_probe) : lease_time) / 3;
}

gate deployment_state::path_entry(base::instant now, path_index path) const {
    const auto closed = [now](const path_record& p) { return now < p.closed_until; };
    const auto wants = [&](const path_record& p) { return p.answered && !closed(p); };
    base::instant until{};
    if (path < most_paths) {
        until = paths_[path].closed_until;
    } else if (std::none_of(paths_.begin(), paths_.end(), wants)) {
        for (const auto& p : paths_) until = std::max(until, p.closed_until);
    }
    if (now >= until) return {};
    return {.why = obstacle::circuit, .configuration = true, .until = until};
}

gate deployment_state::entry(moment at, const usage_limits& limits, const capacity_circuit& capacity,
                             path_index path) const {
    auto result = circuit_.entry(at.now);
    if (const auto own = path_entry(at.now, path); !own.open()) {
        if (result.open()) result = own;
        result.until = std::max(result.until, own.until);
    }
    if (reached(limits.rpm, requests_.count(at.wall)) || reached(limits.tpm, tokens_.count(at.wall))) {
        add_obstacle(result, obstacle::limit, at.now + rest_of_minute(at.wall));
    }
    if (capacity.open(at.now)) add_obstacle(result, obstacle::capacity, capacity.until());
    return result;
}

circuit_permit deployment_state::admit(moment at, lease_number lease, base::instant lease_expiry,
                                       const circuit_settings& settings) {
    const auto permit = circuit_.take(at.now, settings);
    requests_.add(at.wall, 1);
    in_flight_.hold(at.now, lease, lease_expiry);
    return permit;
}

void deployment_state::renew(base::instant now, lease_number lease, base::instant lease_expiry, circuit_permit permit,
                             const circuit_settings& settings) {
    in_flight_.hold(now, lease, lease_expiry);
    circuit_.renew(now, permit, settings);
}

circuit_change deployment_state::confirm(base::instant now, circuit_permit permit, const circuit_settings& settings) {
    if (!permit.probe) return circuit_change::none;
    return circuit_.settle(now, permit, attempt_effect::success, false, settings, 0);
}

circuit_effect deployment_state::settle(moment at, lease_number lease, circuit_permit permit, const settlement& how,
                                        const circuit_settings& settings, capacity_circuit& capacity, path_index path) {
    if (!in_flight_.release(lease)) return {};
    record(at, how, path);
    circuit_effect result;
    result.change = circuit_.settle(at.now, permit, how.effect, how.counts, settings, how.unit);
    if (result.change == circuit_change::opened || result.change == circuit_change::reopened) {
        result.cause = circuit_.cause();
        result.until = circuit_.until();
    }
    if (how.effect == attempt_effect::missing_path && path < most_paths && at.now >= paths_[path].closed_until) {
        paths_[path] = {.closed_until = at.now + settings.configuration_cooldown, .answered = false};
        result.change = circuit_change::opened;
        result.cause = circuit_cause::configuration;
        result.until = paths_[path].closed_until;
    }
    if (how.effect == attempt_effect::throttle
        && capacity.throttle(at.now, how.retry_after, how.quota_exhausted, settings)) {
        result.capacity = true;
        result.until = capacity.until();
    }
    return result;
}

/// What metrics keep of an attempt. They count every one, whatever its circuit makes of it.
void deployment_state::record(moment at, const settlement& how, path_index path) {
    switch (how.effect) {
    case attempt_effect::success: break;
    case attempt_effect::transient:
    case attempt_effect::configuration: health_.add(at.now, false); return;
    case attempt_effect::throttle:
    case attempt_effect::request:
    case attempt_effect::missing_path:
    case attempt_effect::neutral: return;
    }
    if (path < most_paths) paths_[path].answered = true;
    health_.add(at.now, true);
    tokens_.add(at.wall, how.total_tokens.value_or(0));
    latency_ms_.add(std::chrono::duration<double, std::milli>(how.took).count());
    const auto completion = how.completion_tokens.value_or(0);
    if (completion == 0 || how.took <= base::duration::zero()) return;
    throughput_.add(static_cast<double>(completion) / std::chrono::duration<double>(how.took).count());
}

deployment_snapshot deployment_state::snapshot(moment at, const usage_limits& limits, const capacity_circuit& capacity,
                                               const circuit_settings& settings, path_index path) const {
    const auto health = health_.read(at.now);
    return {
        .entry = entry(at, limits, capacity, path),
        .circuit = circuit_.phase(at.now),
        .cause = circuit_.cause(),
        .circuit_until = circuit_.until(),
        .failures = circuit_.failures(at.now, settings),
        .openings = circuit_.openings(),
        .in_flight = static_cast<std::uint32_t>(in_flight_.count(at.now)),
        .rpm = requests_.count(at.wall),
        .tpm = tokens_.count(at.wall),
        .latency_ms = latency_ms_.value(),
        .throughput = throughput_.value(),
        .successes = health.successes,
        .failed = health.failures,
    };
}

} // namespace turnout::routing
