#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "routing/capacity_circuit.hpp"
#include "routing/deployment_state.hpp"
#include "state/store.hpp"

namespace turnout::state {

/// Live state of this process: a lock around pure transitions. All worker threads share one. Every verb completes
/// before it returns, outside the lock. Nothing is allocated but for keys that are new, slots beyond the most that were
/// taken at once, and requests for more than 32 deployments.
class memory_store final : public store {
public:
    /// A lease that is not renewed for `lease_time` is over. The owner renews it a few times within that.
    explicit memory_store(base::duration lease_time = routing::lease_time) : lease_time_(lease_time) {}

    void admit(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
               net::callback<void(state_error, const admission&)> done) override;
    void renew(routing::moment at, const deployment_ref& which, const permit& held,
               const routing::circuit_settings& settings) override;
    void confirm(routing::moment at, const deployment_ref& which, const permit& held,
                 const routing::circuit_settings& settings) override;
    void settle(routing::moment at, const deployment_ref& which, const permit& held, const routing::settlement& how,
                const routing::circuit_settings& settings,
                net::callback<void(state_error, routing::circuit_effect)> done) override;
    void read(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
              net::callback<void(state_error, std::span<const routing::deployment_snapshot>)> done) override;

private:
    routing::deployment_state& of(deployment_key key);
    routing::capacity_circuit& capacity_of(domain_key domain);

    const base::duration lease_time_;
    std::mutex mutex_;
    std::vector<routing::deployment_state> deployments_;
    std::vector<routing::capacity_circuit> domains_;
    routing::lease_number last_lease_ = 0;
};

} // namespace turnout::state
