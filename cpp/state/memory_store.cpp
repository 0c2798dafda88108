#include "state/memory_store.hpp"

#include <boost/container/small_vector.hpp>

namespace turnout::state {

void memory_store::admit(base::instant now, std::span<const deployment_key> keys,
                         net::callback<void(state_error, admission)> done) {
    done(state_error::none, admit_locked(now, keys));
}

admission memory_store::admit_locked(base::instant now, std::span<const deployment_key> keys) {
    if (keys.empty()) return {};
    const std::lock_guard lock(mutex_);
    const lease_id lease = ++last_lease_;
    of(keys.front()).in_flight.hold(now, lease, now + lease_time_);
    return {.chosen = 0, .lease = lease};
}

void memory_store::renew(base::instant now, deployment_key key, lease_id lease) {
    const std::lock_guard lock(mutex_);
    of(key).in_flight.hold(now, lease, now + lease_time_);
}

void memory_store::settle(base::instant, deployment_key key, lease_id lease, const routing::attempt_record&) {
    const std::lock_guard lock(mutex_);
    of(key).in_flight.release(lease);
}

void memory_store::read(base::instant now, std::span<const deployment_key> keys,
                        net::callback<void(state_error, std::span<const std::uint32_t> in_flight)> done) {
    boost::container::small_vector<std::uint32_t, 64> in_flight;
    in_flight.reserve(keys.size());
    {
        const std::lock_guard lock(mutex_);
        for (const auto key : keys) in_flight.push_back(static_cast<std::uint32_t>(of(key).in_flight.count(now)));
    }
    done(state_error::none, {in_flight.data(), in_flight.size()});
}

memory_store::deployment_state& memory_store::of(deployment_key key) {
    if (key >= deployments_.size()) deployments_.resize(std::size_t{key} + 1);
    return deployments_[key];
}

} // namespace turnout::state
