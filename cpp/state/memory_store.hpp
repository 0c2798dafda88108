#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "routing/leases.hpp"
#include "state/store.hpp"

namespace turnout::state {

/// Live state of this process: a lock around pure transitions. All worker threads share one. Every verb completes
/// before it returns, outside the lock.
class memory_store final : public store {
public:
    /// A lease that is not renewed for `lease_time` is over. The owner renews it a few times within that.
    explicit memory_store(base::duration lease_time = std::chrono::seconds{60}) : lease_time_(lease_time) {}

    void admit(base::instant now, std::span<const deployment_key> keys,
               net::callback<void(state_error, admission)> done) override;
    void renew(base::instant now, deployment_key key, lease_id lease) override;
    void settle(base::instant now, deployment_key key, lease_id lease, const routing::attempt_record& attempt) override;
    void read(base::instant now, std::span<const deployment_key> keys,
              net::callback<void(state_error, std::span<const std::uint32_t> in_flight)> done) override;

private:
    struct deployment_state {
        routing::leases in_flight;
    };

    admission admit_locked(base::instant now, std::span<const deployment_key> keys);
    deployment_state& of(deployment_key key);

    const base::duration lease_time_;
    std::mutex mutex_;
    std::vector<deployment_state> deployments_;
    lease_id last_lease_ = 0;
};

} // namespace turnout::state
