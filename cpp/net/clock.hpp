#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.hpp"

namespace turnout::net {

/// The process's one clock, shared by every loop. A manual clock stands still until a test moves it.
class clock {
public:
    enum class mode { real, manual };

    explicit clock(mode m);

    base::instant now() const;
    base::wall_ms wall() const;
    bool manual() const { return mode_.load(std::memory_order_acquire) == mode::manual; }

    /// Moves a manual clock forward; steady and wall time together. Earlier instants change nothing.
    void move_to(base::instant t);
    /// Lets a manual clock run with real time from where it stands, so that a shutdown can end.
    void let_run();

private:
    std::atomic<mode> mode_;
    std::int64_t steady_start_;
    std::int64_t wall_start_;
    std::atomic<std::int64_t> moved_{0}; ///< manual: since the start
    std::atomic<std::int64_t> ahead_{0}; ///< real: of the machine's clocks
};

} // namespace turnout::net
