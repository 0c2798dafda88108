#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "state/store.hpp"

namespace turnout::state {

/// Work for the next turn of a loop that the test turns by hand.
class hand_turned_loop {
public:
    void defer(std::function<void()> work) { waiting_.push_back(std::move(work)); }

    /// Does what was deferred before this turn.
    void turn() {
        for (auto left = waiting_.size(); left > 0; --left) {
            const auto work = std::move(waiting_.front());
            waiting_.pop_front();
            work();
        }
    }

private:
    std::deque<std::function<void()>> waiting_;
};

/// Does what another store does, and completes a turn later: code that only works with completions at once fails on it.
class deferred_store final : public store {
public:
    /// `defer` runs its argument later, on the caller's loop.
    deferred_store(store& inner, std::function<void(std::function<void()>)> defer)
        : inner_(inner), defer_(std::move(defer)) {}

    void admit(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
               net::callback<void(state_error, const admission&)> done) override {
        inner_.admit(at, asked, settings, [this, kept = keep(std::move(done))](state_error error, const admission& a) {
            const std::vector gates(a.refused.begin(), a.refused.end());
            defer_([kept, error, result = a, gates]() mutable {
                result.refused = gates;
                (*kept)(error, result);
            });
        });
    }

    void renew(routing::moment at, const deployment_ref& which, const permit& held,
               const routing::circuit_settings& settings) override {
        inner_.renew(at, which, held, settings);
    }

    void confirm(routing::moment at, const deployment_ref& which, const permit& held,
                 const routing::circuit_settings& settings) override {
        inner_.confirm(at, which, held, settings);
    }

    void settle(routing::moment at, const deployment_ref& which, const permit& held, const routing::settlement& how,
                const routing::circuit_settings& settings,
                net::callback<void(state_error, routing::circuit_effect)> done) override {
        inner_.settle(at, which, held, how, settings,
                      [this, kept = keep(std::move(done))](state_error error, routing::circuit_effect effect) {
                          defer_([kept, error, effect] { (*kept)(error, effect); });
                      });
    }

    void read(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
              net::callback<void(state_error, std::span<const routing::deployment_snapshot>)> done) override {
        inner_.read(
            at, asked, settings,
            [this, kept = keep(std::move(done))](state_error error,
                                                 std::span<const routing::deployment_snapshot> snapshots) {
                defer_([kept, error, copy = std::vector(snapshots.begin(), snapshots.end())] { (*kept)(error, copy); });
            });
    }

private:
    template <class... Args>
    static std::shared_ptr<net::callback<void(Args...)>> keep(net::callback<void(Args...)> done) {
        return std::make_shared<net::callback<void(Args...)>>(std::move(done));
    }

    store& inner_;
    std::function<void(std::function<void()>)> defer_;
};

/// Fails every nth verb: those that complete do so as unavailable, the others are lost.
class failing_store final : public store {
public:
    /// Precondition: `every` is at least 1, which fails all.
    failing_store(store& inner, unsigned every) : inner_(inner), every_(every) {}

    void admit(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
               net::callback<void(state_error, const admission&)> done) override {
        if (fails()) return done(state_error::unavailable, {});
        inner_.admit(at, asked, settings, std::move(done));
    }

    void renew(routing::moment at, const deployment_ref& which, const permit& held,
               const routing::circuit_settings& settings) override {
        if (!fails()) inner_.renew(at, which, held, settings);
    }

    void confirm(routing::moment at, const deployment_ref& which, const permit& held,
                 const routing::circuit_settings& settings) override {
        if (!fails()) inner_.confirm(at, which, held, settings);
    }

    void settle(routing::moment at, const deployment_ref& which, const permit& held, const routing::settlement& how,
                const routing::circuit_settings& settings,
                net::callback<void(state_error, routing::circuit_effect)> done) override {
        if (fails()) return done(state_error::unavailable, {});
        inner_.settle(at, which, held, how, settings, std::move(done));
    }

    void read(routing::moment at, std::span<const deployment_ref> asked, const routing::circuit_settings& settings,
              net::callback<void(state_error, std::span<const routing::deployment_snapshot>)> done) override {
        if (fails()) return done(state_error::unavailable, {});
        inner_.read(at, asked, settings, std::move(done));
    }

private:
    bool fails() { return ++verbs_ % every_ == 0; }

    store& inner_;
    unsigned every_;
    unsigned verbs_ = 0;
};

} // namespace turnout::state
