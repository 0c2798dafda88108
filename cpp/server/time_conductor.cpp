#include "server/time_conductor.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "codec/json_string.hpp"

namespace turnout::server {
namespace {

// A deadline that fires closes, connects and writes; each of these needs a turn or two of the loop.
constexpr int rounds_until_quiet = 6;

} // namespace

struct time_conductor::move {
    base::duration by{};
    std::optional<net::timer_kind> until_armed;
    std::function<void()> done;
    base::instant target{};
    std::mutex mutex;
    std::optional<base::instant> earliest;
    std::atomic<bool> gone{false}; ///< the awaited timer was armed
};

std::int64_t to_ms(base::instant t) {
    return std::chrono::duration_cast<base::milliseconds>(t.time_since_epoch()).count();
}

std::string timers_json(const net::clock& time, const std::vector<net::armed_timer>& timers) {
    std::string out = "{\"now_ms\":" + std::to_string(to_ms(time.now())) + ",\"timers\":[";
    for (const auto& t : timers) {
        if (out.back() == '}') out += ',';
        out += "{\"kind\":" + codec::json::to_json_string(net::to_string(t.kind));
        out += ",\"request\":" + (t.request.empty() ? std::string("null") : codec::json::to_json_string(t.request));
        out += ",\"due_ms\":" + std::to_string(to_ms(t.due)) + "}";
    }
    return out + "]}";
}

void time_conductor::each(const std::function<void(net::loop&)>& f, std::function<void()> then) {
    auto left = std::make_shared<std::atomic<std::size_t>>(loops_.size());
    auto last = std::make_shared<std::function<void()>>(std::move(then));
    for (auto* l : loops_)
        l->post([l, f, left, last] {
            f(*l);
            if (left->fetch_sub(1) == 1) (*last)();
        });
}

void time_conductor::quiet(int rounds, std::function<void()> then) {
    each([](net::loop&) {},
         [this, rounds, then = std::move(then)]() mutable {
             if (rounds > 1)
                 quiet(rounds - 1, std::move(then));
             else
                 then();
         });
}

void time_conductor::snapshot(std::function<void(std::vector<net::armed_timer>)> done) {
    struct gathered {
        std::mutex mutex;
        std::vector<net::armed_timer> all;
    };
    auto g = std::make_shared<gathered>();
    each(
        [g](net::loop& l) {
            auto some = l.timers().snapshot();
            const std::scoped_lock lock(g->mutex);
            std::move(some.begin(), some.end(), std::back_inserter(g->all));
        },
        [g, done = std::move(done)] {
            std::stable_sort(g->all.begin(), g->all.end(), [](const auto& a, const auto& b) { return a.due < b.due; });
            done(std::move(g->all));
        });
}

void time_conductor::advance(base::duration by, std::optional<net::timer_kind> until_armed,
                             std::function<void()> done) {
    auto m = std::make_shared<move>();
    m->by = by;
    m->until_armed = until_armed;
    m->done = std::move(done);
    if (!until_armed) {
        enqueue(m);
        return;
    }
    for (auto* l : loops_)
        l->post([this, l, m] {
            l->when_armed(*m->until_armed, [this, m] {
                if (!m->gone.exchange(true)) enqueue(m);
            });
        });
}

void time_conductor::enqueue(const move_ptr& m) {
    {
        const std::scoped_lock lock(mutex_);
        ready_.push_back(m);
        if (ready_.size() > 1) return;
    }
    go(m);
}

void time_conductor::go(const move_ptr& m) {
    quiet(rounds_until_quiet, [this, m] {
        m->target = time_.now() + m->by;
        step(m);
    });
}

void time_conductor::step(const move_ptr& m) {
    m->earliest.reset();
    each(
        [m](net::loop& l) {
            const auto due = l.timers().next_due();
            if (!due) return;
            const std::scoped_lock lock(m->mutex);
            m->earliest = std::min(m->earliest.value_or(*due), *due);
        },
        [this, m] {
            if (m->earliest && *m->earliest <= m->target)
                expire_then(m, *m->earliest, &time_conductor::step);
            else
                expire_then(m, m->target, &time_conductor::finish);
        });
}

void time_conductor::expire_then(const move_ptr& m, base::instant at, void (time_conductor::*next)(const move_ptr&)) {
    time_.move_to(at);
    each([](net::loop& l) { l.expire(); },
         [this, m, next] { quiet(rounds_until_quiet, [this, m, next] { (this->*next)(m); }); });
}

void time_conductor::finish(const move_ptr& m) {
    move_ptr next;
    {
        const std::scoped_lock lock(mutex_);
        ready_.pop_front();
        if (!ready_.empty()) next = ready_.front();
    }
    m->done();
    if (next) go(next);
}

} // namespace turnout::server
