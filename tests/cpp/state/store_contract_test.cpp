#include <chrono>

#include <gmock/gmock.h>

#include "state/store_contract.hpp"

// What every store promises.

namespace turnout::state {
namespace {

using namespace std::chrono_literals;
using routing::attempt_effect;
using routing::circuit_change;
using routing::obstacle;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_P(store_contract, admits_the_first_that_is_asked_for) {
    const auto result = caller_.admit({b_, a_, limited_});
    EXPECT_EQ(result.chosen, 0U);
    EXPECT_NE(result.held.lease, 0U);
    EXPECT_THAT(result.refused, IsEmpty());
    EXPECT_THAT(in_flight({a_, b_, limited_}), ElementsAre(0, 1, 0));
}

TEST_P(store_contract, admits_nobody_of_nobody) {
    const auto result = caller_.admit({});
    EXPECT_EQ(result.chosen, std::nullopt);
    EXPECT_EQ(result.held.lease, 0U);
}

TEST_P(store_contract, admits_the_first_that_is_eligible_and_says_what_was_in_the_way) {
    caller_.attempt(a_, {.effect = attempt_effect::transient});
    caller_.attempt(limited_, {.effect = attempt_effect::success});
    const auto result = caller_.admit({a_, limited_, b_});
    EXPECT_EQ(result.chosen, 2U);
    EXPECT_THAT(obstacles(result), ElementsAre(obstacle::circuit, obstacle::limit));
    EXPECT_EQ(result.refused[0].until, caller_.at.now + 5s);
    EXPECT_EQ(result.refused[1].until, caller_.at.now + 60s);
    EXPECT_THAT(in_flight({a_, limited_, b_}), ElementsAre(0, 0, 1));
}

TEST_P(store_contract, takes_nothing_when_nobody_is_eligible) {
    caller_.attempt(a_, {.effect = attempt_effect::configuration});
    caller_.attempt(limited_, {.effect = attempt_effect::throttle});
    const auto result = caller_.admit({a_, limited_});
    EXPECT_EQ(result.chosen, std::nullopt);
    EXPECT_EQ(result.held.lease, 0U);
    EXPECT_THAT(obstacles(result), ElementsAre(obstacle::circuit, obstacle::limit));
    EXPECT_TRUE(result.refused[0].configuration);
    for (const auto& snapshot : caller_.read({a_, limited_})) {
        EXPECT_EQ(snapshot.in_flight, 0U);
        EXPECT_EQ(snapshot.rpm, 1U);
    }
}

TEST_P(store_contract, gives_each_admission_a_lease_of_its_own) {
    const auto first = caller_.admit({a_});
    const auto second = caller_.admit({a_});
    const auto third = caller_.admit({b_});
    EXPECT_LT(first.held.lease, second.held.lease);
    EXPECT_LT(second.held.lease, third.held.lease);
    EXPECT_THAT(in_flight({a_, b_}), ElementsAre(2, 1));
}

TEST_P(store_contract, changes_nothing_when_settled_twice) {
    caller_.settings.allowed_fails = 1;
    const auto first = caller_.admit({a_});
    const auto second = caller_.admit({a_});
    EXPECT_EQ(caller_.settle(a_, first.held, {.effect = attempt_effect::transient}).change, circuit_change::counted);
    EXPECT_EQ(caller_.settle(a_, first.held, {.effect = attempt_effect::transient}).change, circuit_change::none);
    EXPECT_THAT(in_flight({a_}), ElementsAre(1));
    EXPECT_EQ(caller_.read({a_})[0].failed, 1U);
    EXPECT_EQ(caller_.settle(a_, second.held, {.effect = attempt_effect::transient}).change, circuit_change::opened);
}

TEST_P(store_contract, changes_nothing_when_a_lease_that_was_never_given_is_settled) {
    caller_.settle(a_, {.lease = 77, .circuit = {}}, {.effect = attempt_effect::configuration});
    EXPECT_THAT(in_flight({a_}), ElementsAre(0));
    EXPECT_EQ(caller_.admit({a_}).chosen, 0U);
}

// A lost owner frees its slot by the end of the lease, and not before
TEST_P(store_contract, ends_a_lease_that_is_not_renewed) {
    RecordProperty("rules", "MET-FLIGHT-002");
    caller_.admit({a_});
    caller_.pass(lease_time - 1ms);
    EXPECT_THAT(in_flight({a_}), ElementsAre(1));
    caller_.pass(1ms);
    EXPECT_THAT(in_flight({a_}), ElementsAre(0));
}

// An attempt may last longer than a lease
TEST_P(store_contract, keeps_a_lease_that_is_renewed) {
    RecordProperty("rules", "MET-FLIGHT-003");
    const auto result = caller_.admit({a_});
    for (int i = 0; i < 10; ++i) {
        caller_.pass(20s);
        caller_.renew(a_, result.held);
    }
    caller_.pass(lease_time - 1ms);
    EXPECT_THAT(in_flight({a_}), ElementsAre(1));
    caller_.pass(1ms);
    EXPECT_THAT(in_flight({a_}), ElementsAre(0));
}

TEST_P(store_contract, takes_a_lease_again_that_is_renewed_after_its_end) {
    const auto result = caller_.admit({a_});
    caller_.pass(lease_time + 5s);
    EXPECT_THAT(in_flight({a_}), ElementsAre(0));
    caller_.renew(a_, result.held);
    EXPECT_THAT(in_flight({a_}), ElementsAre(1));
    caller_.settle(a_, result.held, {});
    EXPECT_THAT(in_flight({a_}), ElementsAre(0));
}

// Settled after its end: others are not counted down for it
TEST_P(store_contract, never_counts_below_what_is_in_flight) {
    RecordProperty("rules", "MET-FLIGHT-004");
    const auto lost = caller_.admit({a_});
    caller_.pass(lease_time);
    caller_.admit({a_});
    caller_.settle(a_, lost.held, {});
    EXPECT_THAT(in_flight({a_}), ElementsAre(1));
}

TEST_P(store_contract, reads_in_the_order_that_is_asked_for) {
    caller_.admit({b_});
    EXPECT_THAT(in_flight({b_, a_, b_}), ElementsAre(1, 0, 1));
    EXPECT_THAT(in_flight({}), IsEmpty());
}

TEST_P(store_contract, shows_what_attempts_left_behind) {
    caller_.attempt(a_, {.effect = attempt_effect::success, .took = 2s, .total_tokens = 30, .completion_tokens = 8});
    caller_.attempt(a_, {.effect = attempt_effect::transient});
    const auto snapshot = caller_.read({a_})[0];
    EXPECT_EQ(snapshot.rpm, 2U);
    EXPECT_EQ(snapshot.tpm, 30U);
    EXPECT_EQ(snapshot.latency_ms, 2000);
    EXPECT_EQ(snapshot.throughput, 4);
    EXPECT_EQ(snapshot.successes, 1U);
    EXPECT_EQ(snapshot.failed, 1U);
    EXPECT_EQ(snapshot.circuit, routing::circuit_phase::open);
    EXPECT_EQ(snapshot.circuit_until, caller_.at.now + 5s);
    EXPECT_EQ(snapshot.entry.why, obstacle::circuit);
}

// One account behind several deployments
TEST_P(store_contract, closes_a_whole_failure_domain_by_a_throttle) {
    RecordProperty("rules", "BRK-CAPACITY-001 BRK-CAPACITY-002");
    const deployment_ref twin{.key = 7, .domain = a_.domain};
    const auto effect = caller_.attempt(a_, {.effect = attempt_effect::throttle, .retry_after = 9s});
    EXPECT_TRUE(effect.capacity);
    EXPECT_EQ(effect.until, caller_.at.now + 9s);
    const auto result = caller_.admit({a_, twin, b_});
    EXPECT_EQ(result.chosen, 2U);
    EXPECT_THAT(obstacles(result), ElementsAre(obstacle::capacity, obstacle::capacity));
    caller_.pass(9s);
    EXPECT_EQ(caller_.admit({twin}).chosen, 0U);
}

TEST_P(store_contract, keeps_a_probe_that_is_renewed_and_decides_it_when_it_is_confirmed) {
    RecordProperty("rules", "BRK-PROBE-009 BRK-PROBE-010");
    caller_.attempt(a_, {.effect = attempt_effect::transient});
    caller_.pass(5s);
    const auto probe = caller_.admit({a_});
    EXPECT_TRUE(probe.held.circuit.probe);
    caller_.pass(20s);
    caller_.renew(a_, probe.held);
    caller_.pass(30s - 1ms);
    EXPECT_THAT(obstacles(caller_.admit({a_})), ElementsAre(obstacle::probe));
    caller_.confirm(a_, probe.held);
    const auto next = caller_.admit({a_});
    EXPECT_EQ(next.chosen, 0U);
    EXPECT_FALSE(next.held.circuit.probe);
}

INSTANTIATE_TEST_SUITE_P(on, store_contract, back_ends(), back_end_name);

} // namespace
} // namespace turnout::state
