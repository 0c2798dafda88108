#pragma once

#include <optional>
#include <span>

#include "base/time.hpp"
#include "routing/gate.hpp"

namespace turnout::routing {

/// What a logical request knows about one deployment of its plan.
struct standing {
    gate last;                ///< what was in the way when the state last spoke of it
    base::instant retry_at{}; ///< when the wait that its last failure asked for is over
    bool known = false;       ///< the state has spoken of it
    bool tried = false;       ///< an attempt was made on it
    bool counted = false;     ///< a failure of it was counted towards its circuit
    bool candidate = true;    ///< the strategy can choose it, as far as the state has said
    bool passed = false;      ///< asked in the pass or round that runs
    bool given_up = false;    ///< not to be asked again: it wants too long a wait, or its pool is over
};

/// Why a request that made no attempt could make none.
enum class shortage {
    nobody,        ///< no deployment was a candidate: their weights are 0
    circuits,      ///< every circuit is open
    misconfigured, ///< likewise, and each was opened by a Configuration failure
    limits,        ///< limits or capacity, with or without open circuits beside
};

struct unserved {
    shortage why = shortage::nobody;
    std::optional<base::instant> earliest; ///< when something may be admitted
};

/// `primary` says why; `all` says from when on it may be worth asking again.
unserved why_unserved(std::span<const standing> primary, std::span<const standing> all);

} // namespace turnout::routing
