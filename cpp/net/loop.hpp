#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "net/clock.hpp"
#include "net/timers.hpp"
#include "net/write_batch.hpp"

namespace boost::asio {
class io_context;
}

namespace turnout::net {

/// One thread's event loop: sockets, deadlines, and a read buffer that its connections share.
class loop {
public:
    explicit loop(clock& time);
    ~loop();
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;

    /// Runs on the calling thread until `stop`.
    void run();
    /// From any thread.
    void stop();
    /// From any thread: runs `task` on the loop.
    void post(std::function<void()> task);

    clock& time() { return time_; }
    base::instant now() const { return recent_ = time_.now(); }
    /// As of the last look at the clock, at most one tick (20 ms) ago while any timer is armed: good enough for
    /// deadlines, and exact in what follows from something that has just been read.
    base::instant recent() const { return recent_; }
    timer_lists& timers() { return timers_; }
    write_batch& writes() { return writes_; }
    /// Fires what is due; a loop on real time does so by itself.
    void expire() { timers_.expire(now()); }
    /// Calls `notify` on the loop as soon as a timer of `kind` is armed, at once if one is.
    void when_armed(timer_kind kind, std::function<void()> notify);

    /// Bytes read on this thread, valid until the next read on it.
    std::span<char> scratch() { return {scratch_.get(), scratch_bytes}; }
    boost::asio::io_context& context();

    static constexpr std::size_t scratch_bytes = std::size_t{64} * 1024;

private:
    struct impl;
    void armed(timer_kind kind);
    void tick();

    clock& time_;
    mutable base::instant recent_{};
    std::unique_ptr<char[]> scratch_;
    std::unique_ptr<impl> impl_;
    timer_lists timers_;
    write_batch writes_;
};

} // namespace turnout::net
