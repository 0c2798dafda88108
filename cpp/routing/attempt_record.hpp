#pragma once

#include <cstdint>
#include <optional>

#include "base/failure_report.hpp"
#include "base/time.hpp"
#include "routing/deployment_state.hpp"
#include "routing/failure_class.hpp"
#include "routing/strategy.hpp"

namespace turnout::routing {

/// What an attempt that succeeded took from its upstream.
struct attempt_measure {
    std::optional<base::instant> last_byte = {}; ///< when the upstream's last byte came; none: when the attempt ended
    base::duration paused{};                     ///< how long the gateway itself did not read
    std::optional<std::uint64_t> total_tokens = {};
    std::optional<std::uint64_t> completion_tokens = {};
};

/// One finished attempt, for the log, the metadata and the state.
struct attempt_record {
    position target = 0;
    bool ok = false;
    bool committed = false;
    bool probe = false;                               ///< it was its circuit's probe
    bool counts = true;                               ///< the first transient failure of its deployment
    failure_class failure = failure_class::transient; ///< meaningful unless ok
    bool quota_exhausted = false;
    bool missing_path = false;   ///< a configuration failure of one of the deployment's paths
    base::failure_report report; ///< meaningful unless ok
    base::duration waited{};     ///< before it, by the machine's own will
    base::instant started{};
    base::instant ended{};
    circuit_effect effect; ///< as far as the state has said
};

/// What the state is told about an attempt. `unit` is uniform in [0, 1).
settlement settlement_of(const attempt_record& attempt, const attempt_measure& measure, double unit);

} // namespace turnout::routing
