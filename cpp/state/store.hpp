#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/time.hpp"
#include "net/callback.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::state {

/// Key of a deployment in live state: its index in the running configuration generation's table.
using deployment_key = std::uint32_t;

/// A taken in-flight slot. 0 is no lease.
using lease_id = std::uint64_t;

struct admission {
    std::optional<std::size_t> chosen; ///< index into the keys that were asked for; nothing: none is eligible
    lease_id lease = 0;
};

enum class state_error { none, unavailable };

/// Live state behind atomic verbs. Every verb completes exactly once, at once or later, on the caller's loop;
/// a ready result costs no allocation and no loop turn. `now` is the caller's clock.
class store {
public:
    virtual ~store() = default;

    /// Takes a lease on the first eligible deployment of `keys`.
    virtual void admit(base::instant now, std::span<const deployment_key> keys,
                       net::callback<void(state_error, admission)> done) = 0;

    /// Extends a lease; a lease that has expired is taken again.
    virtual void renew(base::instant now, deployment_key key, lease_id lease) = 0;

    /// Gives the lease back and records how the attempt ended. Not awaited. Settling twice changes nothing.
    virtual void settle(base::instant now, deployment_key key, lease_id lease,
                        const routing::attempt_record& attempt) = 0;

    /// In-flight attempts per key, expired leases not counted.
    virtual void read(base::instant now, std::span<const deployment_key> keys,
                      net::callback<void(state_error, std::span<const std::uint32_t> in_flight)> done) = 0;
};

} // namespace turnout::state
