#include <array>
#include <thread>
#include <vector>

#include <gmock/gmock.h>

#include "state/memory_store.hpp"
#include "state/test_stores.hpp"

namespace turnout::state {
namespace {

constexpr std::array<deployment_key, 1> key{0};

std::uint32_t in_flight(store& s) {
    std::uint32_t result = 0;
    s.read({}, key, [&](state_error, std::span<const std::uint32_t> counts) { result = counts[0]; });
    return result;
}

// A completion may use the store: it does not run under the lock
TEST(memory_store, may_be_used_from_its_own_completions) {
    memory_store store;
    std::uint32_t seen = 0;
    store.admit({}, key, [&](state_error, admission a) {
        seen = in_flight(store);
        store.settle({}, key[0], a.lease, {});
    });
    EXPECT_EQ(seen, 1U);
    EXPECT_EQ(in_flight(store), 0U);
}

// Worker threads share one store; nothing is lost or doubled
TEST(memory_store, counts_exactly_across_threads) {
    memory_store store;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&store] {
            for (int i = 0; i < 5000; ++i) {
                store.admit({}, key, [&](state_error, admission a) {
                    if (i % 10 != 0) store.settle({}, key[0], a.lease, {});
                });
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(in_flight(store), 4U * 500U);
}

// The test back ends do what their names say, else the suites that run on them prove nothing
TEST(deferred_store, completes_a_turn_later) {
    memory_store memory;
    hand_turned_loop loop;
    deferred_store store(memory, [&](std::function<void()> work) { loop.defer(std::move(work)); });
    bool admitted = false;
    store.admit({}, key, [&](state_error, admission) { admitted = true; });
    EXPECT_FALSE(admitted);
    loop.turn();
    EXPECT_TRUE(admitted);
}

TEST(failing_store, fails_every_nth_verb) {
    memory_store memory;
    failing_store store(memory, 3);
    std::vector<state_error> errors;
    for (int i = 0; i < 6; ++i) {
        store.admit({}, key, [&](state_error error, admission) { errors.push_back(error); });
    }
    using enum state_error;
    EXPECT_THAT(errors, testing::ElementsAre(none, none, unavailable, none, none, unavailable));
    EXPECT_EQ(in_flight(memory), 4U);
}

// What is not awaited is lost
TEST(failing_store, loses_what_is_not_awaited) {
    memory_store memory;
    failing_store store(memory, 2);
    lease_id lease = 0;
    store.admit({}, key, [&](state_error, admission a) { lease = a.lease; });
    store.settle({}, key[0], lease, {});
    EXPECT_EQ(in_flight(memory), 1U);
    store.settle({}, key[0], lease, {});
    EXPECT_EQ(in_flight(memory), 0U);
}

} // namespace
} // namespace turnout::state
