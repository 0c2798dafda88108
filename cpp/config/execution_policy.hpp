#pragma once

#include <optional>

#include "base/time.hpp"
#include "config/operation.hpp"

namespace turnout::config {

/// `executionPolicies[operation].json|stream`: how long and how often.
struct execution_policy {
    base::milliseconds response{};          ///< `responseMs`
    std::optional<base::milliseconds> idle; ///< `idleMs`; none in `json`; in `stream` none is no limit
    base::milliseconds total{};             ///< `totalMs`
    unsigned max_attempts = 3;              ///< `maxAttempts`, 1..20

    bool operator==(const execution_policy&) const = default;
};

struct operation_policies {
    execution_policy json;
    execution_policy stream;

    bool operator==(const operation_policies&) const = default;
};

/// What a deployment's `executionPolicyOverrides` say about an operation. What is absent stays as it is.
struct policy_override {
    std::optional<base::milliseconds> response; ///< `responseMs`
    std::optional<base::milliseconds> idle;     ///< `idleMs`; streams only
    std::optional<base::milliseconds> total;    ///< `totalMs`: when, since the request's start, its attempts end

    bool operator==(const policy_override&) const = default;
};

/// `executionPolicyOverrides` of one deployment.
struct policy_overrides {
    std::optional<policy_override> all;
    by_operation<std::optional<policy_override>> specific;

    /// What holds for an operation: its own entry as a whole, else that of `all`, else nothing.
    const policy_override* of(operation o) const;
};

/// The policy of an attempt on a deployment: each of `response` and, on streams, `idle` is the smaller of both. An
/// override bounds the idle time of a stream policy that has no limit. `total` and `max_attempts` belong to the logical
/// request and stay; the override's `total` is the caller's to apply to the attempt.
execution_policy effective(const execution_policy& base, const policy_override* overriding, bool is_stream);

} // namespace turnout::config
