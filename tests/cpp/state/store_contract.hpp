#pragma once

#include <barrier>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "state/memory_store.hpp"
#include "state/test_stores.hpp"

namespace turnout::state {
inline constexpr auto lease_time = std::chrono::seconds{60};

/// What one worker thread has of a store under test, and how its completions are brought about.
class connection {
public:
    virtual ~connection() = default;
    virtual store& under_test() = 0;
    virtual void turn() = 0;
};

class back_end {
public:
    virtual ~back_end() = default;
    virtual std::unique_ptr<connection> connect() = 0;
};

class memory_back_end final : public back_end {
public:
    std::unique_ptr<connection> connect() override { return std::make_unique<direct>(store_); }

private:
    class direct final : public connection {
    public:
        explicit direct(store& s) : store_(s) {}
        store& under_test() override { return store_; }
        void turn() override {}

    private:
        store& store_;
    };

    memory_store store_{lease_time};
};

class deferred_back_end final : public back_end {
public:
    std::unique_ptr<connection> connect() override { return std::make_unique<deferred>(store_); }

private:
    class deferred final : public connection {
    public:
        explicit deferred(store& s) : store_(s, [this](std::function<void()> work) { loop_.defer(std::move(work)); }) {}
        store& under_test() override { return store_; }
        void turn() override { loop_.turn(); }

    private:
        hand_turned_loop loop_;
        deferred_store store_;
    };

    memory_store store_{lease_time};
};

struct back_end_case {
    std::string name;
    std::unique_ptr<back_end> (*make)();
};

template <class BackEnd>
std::unique_ptr<back_end> make() {
    return std::make_unique<BackEnd>();
}

struct admitted {
    std::optional<std::size_t> chosen;
    permit held;
    std::vector<routing::gate> refused;
};

/// The verbs as functions that return what the completion was given.
class caller {
public:
    explicit caller(back_end& b) : connection_(b.connect()) {}

    admitted admit(const std::vector<deployment_ref>& asked) {
        int completions = 0;
        admitted result;
        connection_->under_test().admit(at, asked, settings, [&](state_error error, const admission& a) {
            EXPECT_EQ(error, state_error::none);
            ++completions;
            result = {a.chosen, a.permit, {a.refused.begin(), a.refused.end()}};
        });
        connection_->turn();
        EXPECT_EQ(completions, 1);
        return result;
    }

    routing::circuit_effect settle(const deployment_ref& which, const permit& held, const routing::settlement& how) {
        int completions = 0;
        routing::circuit_effect result;
        const auto done = [&](state_error error, routing::circuit_effect effect) {
            EXPECT_EQ(error, state_error::none);
            ++completions;
            result = effect;
        };
        connection_->under_test().settle(at, which, held, how, settings, done);
        connection_->turn();
        EXPECT_EQ(completions, 1);
        return result;
    }

    std::vector<routing::deployment_snapshot> read(const std::vector<deployment_ref>& asked) {
        int completions = 0;
        std::vector<routing::deployment_snapshot> result;
        const auto done = [&](state_error error, std::span<const routing::deployment_snapshot> snapshots) {
            EXPECT_EQ(error, state_error::none);
            ++completions;
            result.assign(snapshots.begin(), snapshots.end());
        };
        connection_->under_test().read(at, asked, settings, done);
        connection_->turn();
        EXPECT_EQ(completions, 1);
        return result;
    }

    void renew(const deployment_ref& which, const permit& held) {
        connection_->under_test().renew(at, which, held, settings);
    }

    void confirm(const deployment_ref& which, const permit& held) {
        connection_->under_test().confirm(at, which, held, settings);
    }

    /// An attempt from its admission to its end, at one moment. Precondition: it is admitted.
    routing::circuit_effect attempt(const deployment_ref& which, const routing::settlement& how) {
        const auto a = admit({which});
        EXPECT_EQ(a.chosen, 0U);
        return settle(which, a.held, how);
    }

    void pass(base::milliseconds time) {
        at.now += time;
        at.wall.value += time.count();
    }

    routing::moment at{.now = base::instant(std::chrono::seconds(1000)), .wall = {29'000'000 * 60'000LL}};
    routing::circuit_settings settings{.allowed_fails = 0};

private:
    std::unique_ptr<connection> connection_;
};

class store_contract : public testing::TestWithParam<back_end_case> {
protected:
    std::vector<std::uint32_t> in_flight(const std::vector<deployment_ref>& asked) {
        std::vector<std::uint32_t> result;
        for (const auto& snapshot : caller_.read(asked)) result.push_back(snapshot.in_flight);
        return result;
    }

    static std::vector<routing::obstacle> obstacles(const admitted& a) {
        std::vector<routing::obstacle> result;
        for (const auto& gate : a.refused) result.push_back(gate.why);
        return result;
    }

    /// Runs `work` on as many threads, each with a connection of its own, all at the same moment.
    template <class Work>
    void together(unsigned threads, Work work) {
        std::barrier start(static_cast<std::ptrdiff_t>(threads));
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < threads; ++t) {
            running.emplace_back([&] {
                caller mine(*back_end_);
                mine.at = caller_.at;
                mine.settings = caller_.settings;
                start.arrive_and_wait();
                work(mine);
            });
        }
    }

    const std::unique_ptr<back_end> back_end_ = GetParam().make();
    caller caller_{*back_end_};

    const deployment_ref a_{.key = 0, .domain = 0};
    const deployment_ref b_{.key = 1, .domain = 1};
    const deployment_ref limited_{.key = 2, .domain = 2, .limits = {.rpm = 1, .tpm = std::nullopt}};
};

/// Every back end there is. A new one is one more row.
inline auto back_ends() {
    return testing::Values(back_end_case{"memory", make<memory_back_end>},
                           back_end_case{"deferred", make<deferred_back_end>});
}

inline std::string back_end_name(const testing::TestParamInfo<back_end_case>& row) { return row.param.name; }

} // namespace turnout::state
