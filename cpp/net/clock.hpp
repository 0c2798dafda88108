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
    bool manual() const { return mode_ == mode::manual; }

    /// Moves a manual clock forward; steady and wall time together. Earlier instants change nothing.
    void move_to(base::instant t);

private:
    mode mode_;
    std::int64_t steady_start_;
    std::int64_t wall_start_;
    std::atomic<std::int64_t> moved_{0};
};

} // namespace turnout::net
