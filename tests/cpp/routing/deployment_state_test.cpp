#include <chrono>
#include <limits>
#include <optional>

#include <gmock/gmock.h>

#include "routing/deployment_state.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using enum attempt_effect;

class deployment_state_test : public testing::Test {
protected:
    struct held {
        lease_number lease = 0;
        circuit_permit permit;
    };

    void pass(base::duration time) {
        at_.now += time;
        at_.wall.value += std::chrono::duration_cast<base::milliseconds>(time).count();
    }

    held admit() {
        const auto lease = ++last_lease_;
        return {lease, state_.admit(at_, lease, at_.now + 60s, settings_)};
    }

    circuit_effect settle(held h, const settlement& how) {
        return state_.settle(at_, h.lease, h.permit, how, settings_, capacity_, path_);
    }

    circuit_effect attempt(const settlement& how) { return settle(admit(), how); }

    gate entry() const { return state_.entry(at_, limits_, capacity_, path_); }
    deployment_snapshot snapshot() const { return state_.snapshot(at_, limits_, capacity_, settings_, path_); }

    deployment_state state_;
    capacity_circuit capacity_;
    circuit_settings settings_{.allowed_fails = 0};
    usage_limits limits_;
    path_index path_ = whole_deployment;
    moment at_{.now = base::instant(1000s), .wall = {29'000'000 * 60'000LL + 15'000}};

private:
    lease_number last_lease_ = 0;
};

class deployment_gate : public deployment_state_test {};

TEST_F(deployment_gate, is_open_at_first) {
    EXPECT_TRUE(entry().open());
    EXPECT_EQ(entry().until, base::instant());
}

TEST_F(deployment_gate, closes_at_the_request_limit_until_the_minute_ends) {
    RecordProperty("rules", "LIM-RPM-001 LIM-SKIP-002 MET-USAGE-001");
    limits_.rpm = 3;
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(entry().open());
        admit();
    }
    EXPECT_EQ(entry().why, obstacle::limit);
    EXPECT_EQ(entry().until, at_.now + 45s);
    pass(45s - 1ms);
    EXPECT_EQ(entry().why, obstacle::limit);
    EXPECT_EQ(entry().until, at_.now + 1ms);
    pass(1ms);
    EXPECT_TRUE(entry().open());
}

TEST_F(deployment_gate, closes_at_the_token_limit_until_the_minute_ends) {
    RecordProperty("rules", "LIM-TPM-001 MET-USAGE-002");
    limits_.tpm = 100;
    attempt({.effect = success, .total_tokens = 99});
    EXPECT_TRUE(entry().open());
    attempt({.effect = success, .total_tokens = 1});
    EXPECT_EQ(entry().why, obstacle::limit);
    EXPECT_EQ(entry().until, at_.now + 45s);
    pass(45s - 1ms);
    EXPECT_EQ(entry().why, obstacle::limit);
    pass(1ms);
    EXPECT_TRUE(entry().open());
}

// Tokens belong to the minute in which the answer came
TEST_F(deployment_gate, counts_tokens_when_an_attempt_ends) {
    RecordProperty("rules", "MET-USAGE-002");
    limits_.tpm = 10;
    const auto long_one = admit();
    pass(60s);
    settle(long_one, {.effect = success, .total_tokens = 10});
    EXPECT_EQ(snapshot().tpm, 10U);
    EXPECT_EQ(snapshot().rpm, 0U);
    EXPECT_EQ(entry().why, obstacle::limit);
}

// Slow, ill and busy is no reason not to be asked
TEST_F(deployment_gate, is_open_whatever_is_measured) {
    RecordProperty("rules", "MET-ELIGIBLE-001");
    settings_.allowed_fails = 1000;
    attempt({.effect = success, .took = 3600s, .total_tokens = 1'000'000});
    for (int i = 0; i < 100; ++i) attempt({.effect = transient});
    for (int i = 0; i < 1000; ++i) admit();
    EXPECT_TRUE(entry().open());
}

TEST_F(deployment_gate, is_never_open_under_a_limit_of_nothing) {
    limits_.rpm = 0;
    EXPECT_EQ(entry().why, obstacle::limit);
    limits_ = {.rpm = std::nullopt, .tpm = 0};
    EXPECT_EQ(entry().why, obstacle::limit);
}

TEST_F(deployment_gate, is_closed_by_the_capacity_circuit_of_its_domain) {
    RecordProperty("rules", "BRK-CAPACITY-001");
    capacity_.throttle(at_.now, 7s, false, settings_);
    EXPECT_EQ(entry().why, obstacle::capacity);
    EXPECT_EQ(entry().until, at_.now + 7s);
    pass(7s - 1ns);
    EXPECT_EQ(entry().why, obstacle::capacity);
    pass(1ns);
    EXPECT_TRUE(entry().open());
}

// The first of the order is named, the last to go says until when
TEST_F(deployment_gate, names_the_first_obstacle_and_waits_for_the_last) {
    const auto opened = at_.now;
    limits_.rpm = 1;
    attempt({.effect = configuration});
    capacity_.throttle(at_.now, 60s, false, settings_);
    EXPECT_EQ(entry().why, obstacle::circuit);
    EXPECT_TRUE(entry().configuration);
    EXPECT_EQ(entry().until, opened + 300s);

    state_ = {};
    attempt({.effect = transient}); // open 5 s, the minute lasts 45 s, the domain 60 s
    EXPECT_EQ(entry().why, obstacle::circuit);
    EXPECT_FALSE(entry().configuration);
    EXPECT_EQ(entry().until, opened + 60s);
    pass(5s);
    EXPECT_EQ(entry().why, obstacle::limit);
    EXPECT_EQ(entry().until, opened + 60s);
    pass(40s);
    EXPECT_EQ(entry().why, obstacle::capacity);
    pass(15s);
    admit();
    EXPECT_EQ(entry().why, obstacle::probe);
    EXPECT_EQ(entry().until, at_.now + 45s); // the rest of the minute: it began one attempt, and may begin one
}

TEST_F(deployment_gate, refuses_an_admission_while_it_is_open) {
    attempt({.effect = transient});
    const auto before = snapshot();
    EXPECT_THROW(admit(), std::logic_error);
    EXPECT_EQ(snapshot().rpm, before.rpm);
    EXPECT_EQ(snapshot().in_flight, before.in_flight);
}

class deployment_settlement : public deployment_state_test {};

TEST_F(deployment_settlement, frees_the_slot_whatever_happened) {
    RecordProperty("rules", "MET-FLIGHT-001");
    settings_.allowed_fails = 100;
    for (const auto effect : {success, transient, throttle, request, neutral, configuration}) {
        const auto h = admit();
        EXPECT_EQ(snapshot().in_flight, 1U);
        settle(h, {.effect = effect});
        EXPECT_EQ(snapshot().in_flight, 0U);
    }
    EXPECT_EQ(snapshot().rpm, 6U);
}

TEST_F(deployment_settlement, happens_once) {
    RecordProperty("rules", "MET-FLIGHT-004");
    settings_.allowed_fails = 1;
    const auto h = admit();
    EXPECT_EQ(settle(h, {.effect = transient}).change, circuit_change::counted);
    EXPECT_EQ(settle(h, {.effect = transient}).change, circuit_change::none);
    EXPECT_EQ(settle(h, {.effect = success, .took = 1s, .total_tokens = 5}).change, circuit_change::none);
    EXPECT_FALSE(settle(h, {.effect = throttle}).capacity);
    EXPECT_EQ(snapshot().failures, 1U);
    EXPECT_EQ(snapshot().failed, 1U);
    EXPECT_EQ(snapshot().successes, 0U);
    EXPECT_EQ(snapshot().tpm, 0U);
    EXPECT_FALSE(capacity_.open(at_.now));
}

// No attempt lasts longer than an hour; what a lost slot would have said is still heard until then
TEST_F(deployment_settlement, is_heard_after_the_slot_was_lost) {
    RecordProperty("rules", "MET-FLIGHT-002");
    const auto h = admit();
    pass(60s);
    EXPECT_EQ(snapshot().in_flight, 0U);
    for (int i = 0; i < 100; ++i) admit();
    EXPECT_EQ(settle(h, {.effect = transient}).change, circuit_change::opened);
    EXPECT_EQ(snapshot().in_flight, 100U);
}

TEST_F(deployment_settlement, keeps_the_slot_of_an_owner_who_renews) {
    RecordProperty("rules", "MET-FLIGHT-003");
    const auto h = admit();
    pass(20s);
    state_.renew(at_.now, h.lease, at_.now + 60s, h.permit, settings_);
    pass(60s - 1ns);
    EXPECT_EQ(snapshot().in_flight, 1U);
    pass(1ns);
    EXPECT_EQ(snapshot().in_flight, 0U);
}

TEST_F(deployment_settlement, counts_failures_of_upstreams_as_ill_health_and_nothing_else) {
    RecordProperty("rules", "MET-HEALTH-004 MET-HEALTH-005");
    settings_.allowed_fails = 100;
    for (const auto effect : {throttle, request, neutral}) {
        attempt({.effect = effect});
        EXPECT_FALSE(snapshot().has_record());
    }
    attempt({.effect = success});
    EXPECT_EQ(snapshot().successes, 1U);
    attempt({.effect = transient});
    attempt({.effect = transient, .counts = false});
    attempt({.effect = configuration});
    EXPECT_EQ(snapshot().successes, 1U);
    EXPECT_EQ(snapshot().failed, 3U);
    EXPECT_DOUBLE_EQ(snapshot().health(), 0.25);
}

// A late result changes no circuit, yet it happened
TEST_F(deployment_settlement, counts_late_results_in_health) {
    RecordProperty("rules", "MET-HEALTH-004");
    const auto early = admit();
    attempt({.effect = transient});
    EXPECT_EQ(settle(early, {.effect = transient}).change, circuit_change::none);
    EXPECT_EQ(snapshot().failed, 2U);
}

TEST_F(deployment_settlement, measures_successes_only) {
    RecordProperty("rules", "MET-LATENCY-001 MET-USAGE-002");
    settings_.allowed_fails = 100;
    for (const auto effect : {transient, throttle, request, neutral}) {
        attempt({.effect = effect, .took = 1s, .total_tokens = 10, .completion_tokens = 5});
    }
    EXPECT_EQ(snapshot().latency_ms, std::nullopt);
    EXPECT_EQ(snapshot().throughput, std::nullopt);
    EXPECT_EQ(snapshot().tpm, 0U);
}

TEST_F(deployment_settlement, averages_latency_and_throughput) {
    RecordProperty("rules", "MET-AVERAGE-001 MET-AVERAGE-002 MET-THROUGHPUT-001");
    attempt({.effect = success, .took = 2s, .total_tokens = 30, .completion_tokens = 10});
    EXPECT_DOUBLE_EQ(snapshot().latency_ms.value(), 2000);
    EXPECT_DOUBLE_EQ(snapshot().throughput.value(), 5);
    attempt({.effect = success, .took = 1500us, .total_tokens = 12, .completion_tokens = 3});
    EXPECT_DOUBLE_EQ(snapshot().latency_ms.value(), 0.2 * 1.5 + 0.8 * 2000);
    EXPECT_DOUBLE_EQ(snapshot().throughput.value(), 0.2 * 2000 + 0.8 * 5);
    EXPECT_EQ(snapshot().tpm, 42U);
}

TEST_F(deployment_settlement, has_no_throughput_without_tokens_or_time) {
    RecordProperty("rules", "MET-THROUGHPUT-002 MET-AVERAGE-003");
    attempt({.effect = success, .took = 1s});
    attempt({.effect = success, .took = 1s, .completion_tokens = 0});
    attempt({.effect = success, .took = 0s, .completion_tokens = 7});
    attempt({.effect = success, .took = -1s, .completion_tokens = 7});
    EXPECT_EQ(snapshot().throughput, std::nullopt);
    EXPECT_DOUBLE_EQ(snapshot().latency_ms.value(), 800);
}

TEST_F(deployment_settlement, says_what_it_did_to_the_circuit) {
    const auto opened = attempt({.effect = transient});
    EXPECT_EQ(opened.change, circuit_change::opened);
    EXPECT_EQ(opened.cause, circuit_cause::transient);
    EXPECT_EQ(opened.until, at_.now + 5s);
    EXPECT_FALSE(opened.capacity);
    pass(5s);
    const auto reopened = attempt({.effect = configuration, .unit = 0});
    EXPECT_EQ(reopened.change, circuit_change::reopened);
    EXPECT_EQ(reopened.cause, circuit_cause::configuration);
    EXPECT_EQ(reopened.until, at_.now + 270s);
    pass(270s);
    EXPECT_EQ(attempt({.effect = success}).change, circuit_change::closed);
}

TEST_F(deployment_settlement, opens_the_domain_by_a_throttle) {
    RecordProperty("rules", "BRK-CAPACITY-001 BRK-CAPACITY-008");
    const auto effect = attempt({.effect = throttle, .retry_after = 9s});
    EXPECT_EQ(effect.change, circuit_change::none);
    EXPECT_TRUE(effect.capacity);
    EXPECT_EQ(effect.until, at_.now + 9s);
    EXPECT_EQ(capacity_.until(), at_.now + 9s);
    EXPECT_EQ(snapshot().failures, 0U);
    EXPECT_EQ(snapshot().circuit, circuit_phase::closed);
}

TEST_F(deployment_settlement, opens_the_domain_longer_by_an_exhausted_quota) {
    RecordProperty("rules", "BRK-CAPACITY-005");
    EXPECT_EQ(attempt({.effect = throttle, .quota_exhausted = true}).until, at_.now + 300s);
}

// Only a throttle says something about capacity
TEST_F(deployment_settlement, leaves_the_domain_alone_without_a_throttle) {
    settings_.allowed_fails = 100;
    for (const auto effect : {success, transient, request, neutral, configuration}) {
        EXPECT_FALSE(attempt({.effect = effect, .retry_after = 9s, .quota_exhausted = true}).capacity);
    }
    EXPECT_FALSE(capacity_.open(at_.now));
}

TEST_F(deployment_settlement, lengthens_the_domains_circuit_also_by_a_late_throttle) {
    RecordProperty("rules", "BRK-CAPACITY-006");
    const auto early = admit();
    attempt({.effect = transient});
    const auto effect = settle(early, {.effect = throttle, .retry_after = 9s});
    EXPECT_EQ(effect.change, circuit_change::none);
    EXPECT_TRUE(effect.capacity);
    EXPECT_EQ(effect.until, at_.now + 9s);
}

class deployment_probe : public deployment_state_test {
protected:
    void SetUp() override {
        attempt({.effect = transient});
        pass(5s);
    }
};

TEST_F(deployment_probe, is_renewed_with_its_slot) {
    RecordProperty("rules", "BRK-PROBE-009");
    const auto probe = admit();
    EXPECT_TRUE(probe.permit.probe);
    pass(10s);
    state_.renew(at_.now, probe.lease, at_.now + 60s, probe.permit, settings_);
    pass(30s - 1ns);
    EXPECT_EQ(entry().why, obstacle::probe);
    pass(1ns);
    EXPECT_TRUE(entry().open());
}

TEST_F(deployment_probe, that_is_throttled_closes_the_circuit_and_opens_the_domain) {
    RecordProperty("rules", "BRK-PROBE-006");
    const auto effect = attempt({.effect = throttle, .retry_after = 9s});
    EXPECT_EQ(effect.change, circuit_change::closed);
    EXPECT_TRUE(effect.capacity);
    EXPECT_EQ(effect.until, at_.now + 9s);
    EXPECT_EQ(snapshot().circuit, circuit_phase::closed);
    EXPECT_EQ(entry().why, obstacle::capacity);
}

// What a stream shows its client decides; how it goes on is another matter
TEST_F(deployment_probe, of_a_stream_is_decided_when_it_is_confirmed) {
    RecordProperty("rules", "BRK-PROBE-010");
    const auto probe = admit();
    EXPECT_EQ(state_.confirm(at_.now, probe.permit, settings_), circuit_change::closed);
    EXPECT_EQ(snapshot().circuit, circuit_phase::closed);
    EXPECT_EQ(snapshot().in_flight, 1U);
    EXPECT_EQ(state_.confirm(at_.now, probe.permit, settings_), circuit_change::none);
    EXPECT_EQ(settle(probe, {.effect = transient}).change, circuit_change::none);
    EXPECT_EQ(snapshot().circuit, circuit_phase::closed);
    EXPECT_EQ(snapshot().failures, 0U);
    EXPECT_EQ(snapshot().failed, 2U);
}

TEST_F(deployment_probe, alone_is_confirmed) {
    RecordProperty("rules", "BRK-PROBE-010");
    settings_.allowed_fails = 1;
    attempt({.effect = success});
    const auto stream = admit();
    attempt({.effect = transient});
    EXPECT_EQ(state_.confirm(at_.now, stream.permit, settings_), circuit_change::none);
    EXPECT_EQ(snapshot().failures, 1U);
}

TEST_F(deployment_probe, shows_in_the_snapshot) {
    EXPECT_EQ(snapshot().circuit, circuit_phase::half_open);
    EXPECT_TRUE(snapshot().entry.open());
    EXPECT_EQ(snapshot().openings, 1U);
    admit();
    EXPECT_EQ(snapshot().circuit, circuit_phase::half_open);
    EXPECT_EQ(snapshot().entry.why, obstacle::probe);
    EXPECT_EQ(snapshot().circuit_until, at_.now + 30s);
    EXPECT_EQ(snapshot().cause, circuit_cause::transient);
}

TEST(renewal_interval, is_a_third_of_what_ends_first) {
    using namespace std::chrono_literals;
    EXPECT_EQ(renewal_interval({.probe = false}, {.half_open_probe = 30s}), 20s);
    EXPECT_EQ(renewal_interval({.probe = true}, {.half_open_probe = 30s}), 10s);
    EXPECT_EQ(renewal_interval({.probe = true}, {.half_open_probe = 61s}), 20s);
}

class deployment_paths : public deployment_state_test {
protected:
    deployment_paths() { settings_.configuration_cooldown = 300s; }

    circuit_effect ask(path_index path, attempt_effect effect) {
        path_ = path;
        return attempt({.effect = effect});
    }

    obstacle at(path_index path) {
        path_ = path;
        return entry().why;
    }
};

TEST_F(deployment_paths, one_that_is_missing_is_closed_and_no_other) {
    RecordProperty("rules", "BRK-PATH-001");
    const auto effect = ask(1, missing_path);
    EXPECT_EQ(effect.change, circuit_change::opened);
    EXPECT_EQ(effect.cause, circuit_cause::configuration);
    EXPECT_EQ(effect.until, at_.now + 300s);
    EXPECT_EQ(at(0), obstacle::none);
    EXPECT_EQ(at(1), obstacle::circuit);
    EXPECT_TRUE(entry().configuration);
    EXPECT_EQ(snapshot().failed, 0U);
    pass(300s - 1ms);
    EXPECT_EQ(at(1), obstacle::circuit);
    pass(1ms);
    EXPECT_EQ(at(1), obstacle::none);
}

TEST_F(deployment_paths, what_was_under_way_lengthens_nothing) {
    RecordProperty("rules", "BRK-PATH-003");
    path_ = 1;
    const auto early = admit(), late = admit();
    EXPECT_EQ(settle(early, {.effect = missing_path}).change, circuit_change::opened);
    pass(299s);
    EXPECT_EQ(settle(late, {.effect = missing_path}).change, circuit_change::none);
    pass(1s);
    EXPECT_EQ(at(1), obstacle::none);
}

TEST_F(deployment_paths, the_whole_is_closed_while_nothing_better_is_known) {
    RecordProperty("rules", "BRK-PATH-002");
    ask(1, missing_path);
    EXPECT_EQ(at(whole_deployment), obstacle::circuit);
    EXPECT_EQ(status_of(snapshot(), at_.now).value, availability::cooldown);
    EXPECT_EQ(status_of(snapshot(), at_.now).retry_after, 300s);
    ask(0, success);
    EXPECT_EQ(at(whole_deployment), obstacle::none);
    ask(0, missing_path);
    EXPECT_EQ(at(whole_deployment), obstacle::circuit);
}

TEST_F(deployment_paths, a_probe_that_finds_none_is_free_again) {
    RecordProperty("rules", "BRK-PATH-001");
    ask(0, transient);
    pass(settings_.cooldown);
    ask(1, missing_path);
    EXPECT_EQ(at(1), obstacle::circuit);
    EXPECT_EQ(at(0), obstacle::none);
    EXPECT_EQ(snapshot().circuit, circuit_phase::half_open);
}

} // namespace
} // namespace turnout::routing
