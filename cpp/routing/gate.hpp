#pragma once

#include "base/time.hpp"

namespace turnout::routing {

/// What keeps a deployment from being admitted. If several do, the first of this order is named.
enum class obstacle {
    none,
    circuit,  ///< its circuit is open
    probe,    ///< its circuit is half-open and another request owns the probe
    limit,    ///< it is at `rpmLimit` or `tpmLimit`
    capacity, ///< the capacity circuit of its failure domain is open, and nothing else is in the way
};

struct gate {
    obstacle why = obstacle::none;
    bool configuration = false; ///< of a circuit or a probe: a Configuration failure opened it
    base::instant until{};      ///< the earliest moment at which nothing of it need be in the way any more

    bool open() const { return why == obstacle::none; }
};

} // namespace turnout::routing
