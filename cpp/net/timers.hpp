#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "net/callback.hpp"

namespace turnout::net {

/// What a deadline is for; tests name them when they move time.
enum class timer_kind : std::uint8_t {
    response,     ///< `responseMs` of an attempt
    idle,         ///< `idleMs` of a streamed attempt
    total,        ///< `totalMs` of a logical request
    wait,         ///< a pause before the next attempt
    keepalive,    ///< how long the client of a stream is left without a byte, its head included
    grace,        ///< for usage and end marker after the last finished choice, or for the body of an error answer
    client_head,  ///< a client that began a request must finish sending it
    client_idle,  ///< keep-alive between two requests
    client_write, ///< `clientWriteStallMs`
    client_watch, ///< the next look whether a client that is not read has left
    linger,       ///< draining a refused client before closing
    resolve,      ///< an answer of a DNS server
    connect,      ///< `connectMs` of one address of an upstream
    pool_idle,    ///< an unused upstream connection
    drain,        ///< the rest of an answer that nobody needs
    lease,        ///< renewal of an in-flight slot
    socket_life,  ///< how old a client's WebSocket may get
    shutdown,     ///< `shutdownGraceMs`
};
std::string_view to_string(timer_kind k);
std::optional<timer_kind> timer_kind_from(std::string_view name);

struct timer_list;

/// One deadline, a member of the object that it belongs to: arming and cancelling allocate nothing and cost no
/// system call. Destroying it cancels it. Used on one loop only.
class timer {
public:
    using fire_function = void (*)(void*);

    timer(fire_function fire, void* context) : fire_(fire), context_(context) {}
    ~timer() { cancel(); }
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;

    bool armed() const { return list_ != nullptr; }
    void cancel();

private:
    friend class timer_lists;
    fire_function fire_;
    void* context_;
    timer* previous_ = nullptr;
    timer* next_ = nullptr;
    timer_list* list_ = nullptr;
    base::instant due_{};
    const std::string* request_ = nullptr;
};

struct armed_timer {
    timer_kind kind{};
    std::string request; ///< empty if the timer belongs to no request
    base::instant due{};
};

/// Deadlines of one loop: a first-in-first-out list per kind and duration, so that arming is an append and expiry a look
/// at the heads.
class timer_lists {
public:
    timer_lists();
    ~timer_lists();

    /// (Re)arms `t` to fire `after` from `now`. `request` must outlive the arming.
    void arm(timer& t, timer_kind kind, base::duration after, base::instant now, const std::string* request = nullptr);
    /// Arms `t` for an instant of its own; costs a walk over the timers armed this way.
    void arm_at(timer& t, timer_kind kind, base::instant due, const std::string* request = nullptr);

    std::optional<base::instant> next_due() const;
    bool empty() const { return !next_due().has_value(); }
    bool armed(timer_kind kind) const;
    std::vector<armed_timer> snapshot() const;

    /// Fires every timer due at or before `now`, in the order of their instants.
    void expire(base::instant now);

    /// Called when a timer is armed.
    void on_armed(callback<void(timer_kind)> hook) { hook_ = std::move(hook); }

private:
    timer_list& list_of(timer_kind kind, base::duration after);
    timer_list* earliest() const;

    std::vector<std::unique_ptr<timer_list>> lists_;
    callback<void(timer_kind)> hook_;
};

} // namespace turnout::net
