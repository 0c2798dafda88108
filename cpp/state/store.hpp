#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "net/callback.hpp"
#include "routing/deployment_state.hpp"

namespace turnout::state {

/// Key of a deployment in live state: its index in the running configuration generation's table.
using deployment_key = std::uint32_t;

/// Key of a failure domain. A deployment without `failureDomain` has one of its own.
using domain_key = std::uint32_t;

struct deployment_ref {
    deployment_key key = 0;
    domain_key domain = 0;
    routing::usage_limits limits{};
    routing::path_index path = routing::whole_deployment; ///< that a request takes
};

/// Leave to call one deployment, until it is settled.
struct permit {
    routing::lease_number lease = 0; ///< 0 is no permit
    routing::circuit_permit circuit{};
};

struct admission {
    std::optional<std::size_t> chosen; ///< index into what was asked for; nothing: none is eligible
    state::permit permit{};
    /// Why those before the chosen one, or all, were refused, in the order asked. Valid during the callback.
    std::span<const routing::gate> refused{};
};

enum class state_error { none, unavailable };

/// Live state behind atomic verbs. Every verb completes exactly once, at once or later, on the caller's loop; a ready
/// result costs no allocation and no loop turn. Moments are the caller's clocks, settings those of the caller's
/// configuration generation.
class store {
public:
    virtual ~store() = default;

    /// Admits an attempt on the first eligible deployment of `asked`: takes its slot, its request of the minute and,
    /// if its circuit is half-open, the probe, all at once.
    virtual void admit(routing::moment at, std::span<const deployment_ref> asked,
                       const routing::circuit_settings& settings,
                       net::callback<void(state_error, const admission&)> done) = 0;

    /// Keeps the slot and the probe of a running attempt; a slot that has expired is taken again.
    virtual void renew(routing::moment at, const deployment_ref& which, const permit& held,
                       const routing::circuit_settings& settings) = 0;

    /// A streamed attempt committed: if it is the probe, the circuit closes. Not awaited.
    virtual void confirm(routing::moment at, const deployment_ref& which, const permit& held,
                         const routing::circuit_settings& settings) = 0;

    /// Gives the permit back and records how the attempt ended. Not awaited; settling twice changes nothing.
    virtual void settle(routing::moment at, const deployment_ref& which, const permit& held,
                        const routing::settlement& how, const routing::circuit_settings& settings,
                        net::callback<void(state_error, routing::circuit_effect)> done) = 0;

    /// One snapshot of all that is asked for, in that order; valid during the callback.
    virtual void read(routing::moment at, std::span<const deployment_ref> asked,
                      const routing::circuit_settings& settings,
                      net::callback<void(state_error, std::span<const routing::deployment_snapshot>)> done) = 0;
};

} // namespace turnout::state
