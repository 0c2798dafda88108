#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "net/clock.hpp"
#include "net/loop.hpp"

namespace turnout::server {

/// Moves the manual clock of several loops in step: every deadline fires in order, and what it set off is done before the
/// next one. Callable from any thread; completions run on one of the loops.
class time_conductor {
public:
    time_conductor(net::clock& time, std::vector<net::loop*> loops) : time_(time), loops_(std::move(loops)) {}

    /// All armed timers, by due time.
    void snapshot(std::function<void(std::vector<net::armed_timer>)> done);

    /// Waits until a timer of `until_armed` is armed on some loop, then moves time by `by`. One move after the
    /// other; one that still waits for its timer keeps no other from moving.
    void advance(base::duration by, std::optional<net::timer_kind> until_armed, std::function<void()> done);

private:
    struct move;
    using move_ptr = std::shared_ptr<move>;

    void enqueue(const move_ptr& m);
    void go(const move_ptr& m);
    void step(const move_ptr& m);
    void expire_then(const move_ptr& m, base::instant at, void (time_conductor::*next)(const move_ptr&));
    void finish(const move_ptr& m);
    /// Runs `f` on every loop, then `then` on the last of them.
    void each(const std::function<void(net::loop&)>& f, std::function<void()> then);
    /// Lets every loop work off what is ready.
    void quiet(int rounds, std::function<void()> then);

    net::clock& time_;
    std::vector<net::loop*> loops_;
    std::mutex mutex_;
    std::deque<move_ptr> ready_; ///< whose timer is armed; the first is under way
};

/// `{"now_ms": int, "timers": [...]}`.
std::string timers_json(const net::clock& time, const std::vector<net::armed_timer>& timers);
/// Whole milliseconds on the steady line.
std::int64_t to_ms(base::instant t);

} // namespace turnout::server
