#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include <gtest/gtest.h>

#include "state/store_contract.hpp"

// What every store promises to several threads at once.

namespace turnout::state {
namespace {

using namespace std::chrono_literals;
using routing::attempt_effect;

class store_contention : public store_contract {};

TEST_P(store_contention, never_admits_more_than_the_limit_of_a_minute) {
    RecordProperty("rules", "LIM-RPM-002");
    const deployment_ref shared{.key = 0, .domain = 0, .limits = {.rpm = 1000, .tpm = std::nullopt}};
    std::atomic<unsigned> taken = 0;
    together(8, [&](caller& mine) {
        for (int i = 0; i < 500; ++i) taken += mine.admit({shared}).chosen.has_value() ? 1U : 0U;
    });
    EXPECT_EQ(taken, 1000U);
    EXPECT_EQ(caller_.read({shared})[0].in_flight, 1000U);
    EXPECT_EQ(caller_.read({shared})[0].rpm, 1000U);
}

TEST_P(store_contention, never_gives_the_probe_to_two) {
    RecordProperty("rules", "BRK-PROBE-001");
    for (int round = 0; round < 20; ++round) {
        const deployment_ref fresh{.key = static_cast<deployment_key>(round), .domain = 0};
        caller_.attempt(fresh, {.effect = attempt_effect::transient});
    }
    caller_.pass(5s);
    std::array<std::atomic<unsigned>, 20> owners{};
    together(8, [&](caller& mine) {
        for (std::size_t round = 0; round < owners.size(); ++round) {
            const auto result = mine.admit({{.key = static_cast<deployment_key>(round), .domain = 0}});
            owners[round] += result.held.circuit.probe ? 1U : 0U;
        }
    });
    EXPECT_TRUE(std::ranges::all_of(owners, [](const auto& count) { return count == 1U; }));
}

// Worker threads share one store; nothing is lost or doubled
TEST_P(store_contention, counts_exactly_across_threads) {
    RecordProperty("rules", "MET-FLIGHT-001");
    together(8, [&](caller& mine) {
        for (int i = 0; i < 500; ++i) {
            const auto result = mine.admit({a_});
            if (i % 10 == 0) continue;
            mine.settle(a_, result.held, {.effect = attempt_effect::success, .total_tokens = 3});
        }
    });
    const auto snapshot = caller_.read({a_})[0];
    EXPECT_EQ(snapshot.in_flight, 8U * 50U);
    EXPECT_EQ(snapshot.rpm, 8U * 500U);
    EXPECT_EQ(snapshot.tpm, 8U * 450U * 3U);
    EXPECT_EQ(snapshot.successes, 8U * 450U);
}

INSTANTIATE_TEST_SUITE_P(on, store_contention, back_ends(), back_end_name);

} // namespace
} // namespace turnout::state
