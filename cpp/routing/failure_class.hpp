#pragma once

#include <optional>
#include <string_view>

#include "base/failure_report.hpp"

namespace turnout::routing {

/// Failures by effect, not by provider's name for them.
enum class failure_class {
    request,        ///< the caller's request is at fault: ends the logical request with the provider's answer
    context_window, ///< a request failure with a chain of its own
    content_policy, ///< a request failure with a chain of its own
    throttle,       ///< the account is out of capacity: another deployment may answer
    transient,      ///< may pass by itself: another deployment may answer
    configuration,  ///< the deployment cannot serve anyone: another deployment may answer
    incompatible,   ///< this deployment cannot carry this request: neutral, another may
    gateway,        ///< client gone, stalled, or our own fault: neutral, ends the logical request
};
std::string_view to_string(failure_class c);

struct classified {
    failure_class value = failure_class::transient;
    bool quota_exhausted = false; ///< a throttle for which waiting does not help
    bool missing_path = false;    ///< a configuration failure that says nothing of the deployment's other paths
    /// How long the failure asks to wait: what the report says; for a throttle that may pass and says nothing, when its
    /// bucket is refilled, else what its message says.
    std::optional<base::milliseconds> wait = {};
};

/// The table of failure classes, as a pure function of the facts.
classified classify(const base::failure_report& report);

} // namespace turnout::routing
