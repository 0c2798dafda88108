#pragma once

#include <chrono>
#include <unordered_map>

#include "base/time.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// Which deployments have answered lately that there are no WebSockets, as far as one worker knows.
class websocket_refusals {
public:
    static constexpr base::duration remembered = std::chrono::minutes(10);

    /// Whether this answer to a handshake says that there are none: it names no such path or method, or the upgrade was
    /// passed over, as a server may (RFC 9110, 7.8).
    static bool refuses(int status) {
        return status == 404 || status == 405 || status == 426 || status == 501 || (status >= 200 && status < 300);
    }

    void note(state::deployment_key d, base::instant now) { until_[d] = now + remembered; }
    bool holds(state::deployment_key d, base::instant now) const {
        const auto found = until_.find(d);
        return found != until_.end() && now < found->second;
    }

private:
    std::unordered_map<state::deployment_key, base::instant> until_;
};

} // namespace turnout::gateway
