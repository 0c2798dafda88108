#include "config/execution_policy.hpp"

#include <algorithm>

namespace turnout::config {

const policy_override* policy_overrides::of(operation o) const {
    const auto& own = specific[o];
    const auto& found = own ? own : all;
    return found ? &*found : nullptr;
}

execution_policy effective(const execution_policy& base, const policy_override* overriding, bool is_stream) {
    execution_policy policy = base;
    if (overriding == nullptr) {
        return policy;
    }
    policy.response = std::min(base.response, overriding->response.value_or(base.response));
    if (is_stream && overriding->idle) {
        policy.idle = std::min(*overriding->idle, base.idle.value_or(*overriding->idle));
    }
    return policy;
}

} // namespace turnout::config
