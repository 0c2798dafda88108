#include "state/memory_store.hpp"

#include <boost/container/small_vector.hpp>

namespace turnout::state {

namespace {

/// Of a pool's deployments, on the stack: the caller may use the store from the completion that sees it.
template <class T>
using per_deployment = boost::container::small_vector<T, 32>;

template <class T>
T& grown(std::vector<T>& all, std::size_t index) {
    if (index >= all.size()) all.resize(index + 1);
    return all[index];
}

} // namespace

void memory_store::admit(routing::moment at, std::span<const deployment_ref> asked,
                         const routing::circuit_settings& settings,
                         net::callback<void(state_error, const admission&)> done) {
    admission result;
    per_deployment<routing::gate> refused;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& which : asked) {
            auto& deployment = of(which.key);
            const auto gate = deployment.entry(at, which.limits, capacity_of(which.domain), which.path);
            if (gate.open()) {
                const auto lease = ++last_lease_;
                result.chosen = refused.size();
                result.permit = {.lease = lease,
                                 .circuit = deployment.admit(at, lease, at.now + lease_time_, settings)};
                break;
            }
            refused.push_back(gate);
        }
    }
    result.refused = {refused.data(), refused.size()};
    done(state_error::none, result);
}

void memory_store::renew(routing::moment at, const deployment_ref& which, const permit& held,
                         const routing::circuit_settings& settings) {
    const std::lock_guard lock(mutex_);
    of(which.key).renew(at.now, held.lease, at.now + lease_time_, held.circuit, settings);
}

void memory_store::confirm(routing::moment at, const deployment_ref& which, const permit& held,
                           const routing::circuit_settings& settings) {
    const std::lock_guard lock(mutex_);
    of(which.key).confirm(at.now, held.circuit, settings);
}

void memory_store::settle(routing::moment at, const deployment_ref& which, const permit& held,
                          const routing::settlement& how, const routing::circuit_settings& settings,
                          net::callback<void(state_error, routing::circuit_effect)> done) {
    routing::circuit_effect effect;
    {
        const std::lock_guard lock(mutex_);
        effect =
            of(which.key).settle(at, held.lease, held.circuit, how, settings, capacity_of(which.domain), which.path);
    }
    done(state_error::none, effect);
}

void memory_store::read(routing::moment at, std::span<const deployment_ref> asked,
                        const routing::circuit_settings& settings,
                        net::callback<void(state_error, std::span<const routing::deployment_snapshot>)> done) {
    per_deployment<routing::deployment_snapshot> snapshots;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& which : asked) {
            const auto& deployment = of(which.key);
            snapshots.push_back(deployment.snapshot(at, which.limits, capacity_of(which.domain), settings, which.path));
        }
    }
    done(state_error::none, {snapshots.data(), snapshots.size()});
}

routing::deployment_state& memory_store::of(deployment_key key) { return grown(deployments_, key); }

routing::capacity_circuit& memory_store::capacity_of(domain_key domain) { return grown(domains_, domain); }

} // namespace turnout::state
