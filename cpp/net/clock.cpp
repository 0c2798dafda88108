#include "net/clock.hpp"

#include <chrono>

namespace turnout::net {
namespace {

std::int64_t steady_ns() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::int64_t wall_ns() { return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count(); }

} // namespace

clock::clock(mode m) : mode_(m), steady_start_(steady_ns()), wall_start_(wall_ns()) {}

base::instant clock::now() const {
    const auto ns = manual() ? steady_start_ + moved_.load(std::memory_order_acquire) : steady_ns() + ahead_.load();
    return base::instant(base::duration(ns));
}

base::wall_ms clock::wall() const {
    const auto ns = manual() ? wall_start_ + moved_.load(std::memory_order_acquire) : wall_ns() + ahead_.load();
    return {ns / 1'000'000};
}

void clock::move_to(base::instant t) {
    const auto moved = t.time_since_epoch().count() - steady_start_;
    if (moved > moved_.load(std::memory_order_relaxed)) moved_.store(moved, std::memory_order_release);
}

void clock::let_run() {
    if (!manual()) return;
    ahead_.store(steady_start_ + moved_.load() - steady_ns());
    mode_.store(mode::real, std::memory_order_release);
}

} // namespace turnout::net
