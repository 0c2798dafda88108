#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace turnout::routing {

/// Who holds a slot. Numbers are given out in ascending order and are never 0.
using lease_number = std::uint64_t;

/// A slot that is not renewed for this long is over.
constexpr base::duration lease_time = std::chrono::seconds(60);

/// The in-flight slots of one deployment. A slot that nobody gives back frees itself when its time is over, so a lost
/// owner costs a while and not forever; the count is never negative, because it counts what is there.
class leases {
public:
    /// Takes the slot, or holds on to it until `expiry` if it is already taken.
    void hold(base::instant now, lease_number lease, base::instant expiry);

    /// Gives the slot back. False if it is not taken. A slot whose time is over can be given back for another hour, which
    /// no attempt outlives.
    bool release(lease_number lease);

    /// Slots whose time is not over.
    std::size_t count(base::instant now) const;

private:
    struct slot {
        lease_number lease;
        base::instant expiry;
    };

    void make_room(base::instant now);

    std::vector<slot> slots_; ///< ascending by lease
};

} // namespace turnout::routing
