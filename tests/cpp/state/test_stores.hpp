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

    void admit(base::instant now, std::span<const deployment_key> keys,
               net::callback<void(state_error, admission)> done) override {
        auto kept = std::make_shared<net::callback<void(state_error, admission)>>(std::move(done));
        inner_.admit(now, keys, [this, kept](state_error error, admission result) {
            defer_([kept, error, result] { (*kept)(error, result); });
        });
    }

    void renew(base::instant now, deployment_key key, lease_id lease) override { inner_.renew(now, key, lease); }

    void settle(base::instant now, deployment_key key, lease_id lease,
                const routing::attempt_record& attempt) override {
        inner_.settle(now, key, lease, attempt);
    }

    void read(base::instant now, std::span<const deployment_key> keys,
              net::callback<void(state_error, std::span<const std::uint32_t>)> done) override {
        auto kept = std::make_shared<net::callback<void(state_error, std::span<const std::uint32_t>)>>(std::move(done));
        inner_.read(now, keys, [this, kept](state_error error, std::span<const std::uint32_t> in_flight) {
            defer_([kept, error, copy = std::vector(in_flight.begin(), in_flight.end())] { (*kept)(error, copy); });
        });
    }

private:
    store& inner_;
    std::function<void(std::function<void()>)> defer_;
};

/// Fails every nth verb: what is awaited completes as unavailable, what is not is lost.
class failing_store final : public store {
public:
    /// Precondition: `every` is at least 1, which fails all.
    failing_store(store& inner, unsigned every) : inner_(inner), every_(every) {}

    void admit(base::instant now, std::span<const deployment_key> keys,
               net::callback<void(state_error, admission)> done) override {
        if (fails()) return done(state_error::unavailable, {});
        inner_.admit(now, keys, std::move(done));
    }

    void renew(base::instant now, deployment_key key, lease_id lease) override {
        if (!fails()) inner_.renew(now, key, lease);
    }

    void settle(base::instant now, deployment_key key, lease_id lease,
                const routing::attempt_record& attempt) override {
        if (!fails()) inner_.settle(now, key, lease, attempt);
    }

    void read(base::instant now, std::span<const deployment_key> keys,
              net::callback<void(state_error, std::span<const std::uint32_t>)> done) override {
        if (fails()) return done(state_error::unavailable, {});
        inner_.read(now, keys, std::move(done));
    }

private:
    bool fails() { return ++verbs_ % every_ == 0; }

    store& inner_;
    unsigned every_;
    unsigned verbs_ = 0;
};

} // namespace turnout::state
