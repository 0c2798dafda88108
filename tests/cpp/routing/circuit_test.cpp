#include <chrono>
#include <stdexcept>

#include <gmock/gmock.h>

#include "routing/circuit.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using enum attempt_effect;
using enum circuit_change;

constexpr double almost_one = 1 - 1e-9;

class circuit_test : public testing::Test {
protected:
    circuit_permit take() { return circuit_.take(now_, settings_); }

    circuit_change settle(circuit_permit permit, attempt_effect effect, bool counts = true, double unit = 0) {
        return circuit_.settle(now_, permit, effect, counts, settings_, unit);
    }

    /// One attempt from admission to its end, at one moment.
    circuit_change attempt(attempt_effect effect, bool counts = true, double unit = 0) {
        return settle(take(), effect, counts, unit);
    }

    /// Opens the closed circuit by transient failures.
    void open() {
        for (unsigned i = 0; i < settings_.allowed_fails; ++i) ASSERT_EQ(attempt(transient), counted);
        ASSERT_EQ(attempt(transient), opened);
    }

    /// Waits until the circuit is half-open.
    void cool_down() { now_ = circuit_.until(); }

    circuit_phase phase() const { return circuit_.phase(now_); }
    gate entry() const { return circuit_.entry(now_); }

    circuit circuit_;
    circuit_settings settings_;
    base::instant now_{1000s};
};

class circuit_counting : public circuit_test {};

TEST_F(circuit_counting, opens_at_the_failure_after_those_that_are_allowed) {
    RecordProperty("rules", "BRK-COUNT-001");
    for (unsigned i = 1; i <= 3; ++i) {
        EXPECT_EQ(attempt(transient), counted);
        EXPECT_EQ(circuit_.failures(now_, settings_), i);
        EXPECT_EQ(phase(), circuit_phase::closed);
        EXPECT_TRUE(entry().open());
    }
    EXPECT_EQ(attempt(transient), opened);
    EXPECT_EQ(phase(), circuit_phase::open);
    EXPECT_EQ(circuit_.cause(), circuit_cause::transient);
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
}

TEST_F(circuit_counting, opens_at_the_first_failure_if_none_is_allowed) {
    RecordProperty("rules", "BRK-COUNT-002");
    settings_.allowed_fails = 0;
    EXPECT_EQ(attempt(success), none);
    EXPECT_EQ(attempt(transient), opened);
}

TEST_F(circuit_counting, begins_anew_after_a_success) {
    RecordProperty("rules", "BRK-COUNT-003");
    for (int i = 0; i < 3; ++i) attempt(transient);
    EXPECT_EQ(attempt(success), none);
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(attempt(transient), counted);
    EXPECT_EQ(attempt(transient), opened);
}

// The window goes with the count, else the next failure would belong to an old one
TEST_F(circuit_counting, begins_a_new_window_after_a_success) {
    RecordProperty("rules", "BRK-COUNT-003");
    attempt(transient);
    now_ += 50s;
    attempt(success);
    attempt(transient);
    now_ += 60s - 1ns;
    EXPECT_EQ(circuit_.failures(now_, settings_), 1U);
    now_ += 1ns;
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
}

TEST_F(circuit_counting, takes_one_failure_of_a_logical_request) {
    RecordProperty("rules", "BRK-COUNT-004");
    settings_.allowed_fails = 1;
    EXPECT_EQ(attempt(transient, true), counted);
    EXPECT_EQ(attempt(transient, false), none);
    EXPECT_EQ(circuit_.failures(now_, settings_), 1U);
    EXPECT_EQ(attempt(transient, true), opened);
}

TEST_F(circuit_counting, knows_no_transient_circuit_without_a_cooldown) {
    RecordProperty("rules", "BRK-COUNT-005");
    settings_.cooldown = 0s;
    settings_.allowed_fails = 0;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(attempt(transient), none);
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
    EXPECT_EQ(phase(), circuit_phase::closed);
    settings_.cooldown = 1s;
    EXPECT_EQ(attempt(transient), opened);
}

TEST_F(circuit_counting, leaves_out_what_is_no_fault_of_the_upstream) {
    RecordProperty("rules", "BRK-COUNT-006");
    for (int i = 0; i < 3; ++i) attempt(transient);
    for (const auto effect : {throttle, request, neutral}) {
        EXPECT_EQ(attempt(effect), none);
        EXPECT_EQ(circuit_.failures(now_, settings_), 3U);
    }
    EXPECT_EQ(attempt(transient), opened);
}

TEST_F(circuit_counting, ends_its_window_exactly_when_it_is_over) {
    RecordProperty("rules", "BRK-WINDOW-001");
    for (int i = 0; i < 3; ++i) attempt(transient);
    now_ += 60s - 1ns;
    EXPECT_EQ(circuit_.failures(now_, settings_), 3U);
    const auto late = circuit_;
    EXPECT_EQ(attempt(transient), opened);

    circuit_ = late;
    now_ += 1ns;
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
    EXPECT_EQ(attempt(transient), counted);
    EXPECT_EQ(circuit_.failures(now_, settings_), 1U);
}

// Failures inside the window do not move it
TEST_F(circuit_counting, has_a_fixed_window) {
    RecordProperty("rules", "BRK-WINDOW-002");
    attempt(transient);
    now_ += 30s;
    attempt(transient);
    attempt(transient);
    now_ += 30s;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(attempt(transient), counted);
    now_ += 60s - 1ns;
    EXPECT_EQ(attempt(transient), opened);
}

class circuit_opening : public circuit_test {};

TEST_F(circuit_opening, lasts_exactly_the_cooldown_at_first) {
    RecordProperty("rules", "BRK-OPEN-001 BRK-OPEN-002");
    settings_.allowed_fails = 0;
    attempt(transient, true, 0.3);
    EXPECT_EQ(circuit_.until(), now_ + 5s);
    const auto entry = this->entry();
    EXPECT_EQ(entry.why, obstacle::circuit);
    EXPECT_FALSE(entry.configuration);
    EXPECT_EQ(entry.until, now_ + 5s);
    now_ += 5s - 1ns;
    EXPECT_EQ(phase(), circuit_phase::open);
    EXPECT_EQ(this->entry().why, obstacle::circuit);
    EXPECT_THROW(take(), std::logic_error);
    now_ += 1ns;
    EXPECT_EQ(phase(), circuit_phase::half_open);
    EXPECT_TRUE(this->entry().open());
}

TEST_F(circuit_opening, is_not_changed_by_attempts_that_began_before_it) {
    RecordProperty("rules", "BRK-OPEN-003 BRK-OPEN-004");
    const auto early = take();
    open();
    const auto until = circuit_.until();
    now_ += 1s;
    for (const auto effect : {transient, configuration, success, throttle, request, neutral}) {
        EXPECT_EQ(settle(early, effect), none);
        EXPECT_EQ(phase(), circuit_phase::open);
        EXPECT_EQ(circuit_.until(), until);
        EXPECT_EQ(circuit_.openings(), 1U);
    }
}

// Nor does a failure that began before an opening count once the circuit is closed again
TEST_F(circuit_opening, is_not_counted_towards_by_attempts_of_an_earlier_life) {
    RecordProperty("rules", "BRK-OPEN-003");
    settings_.allowed_fails = 0;
    const auto early = take();
    attempt(transient);
    cool_down();
    EXPECT_EQ(attempt(success), closed);
    EXPECT_EQ(settle(early, transient), none);
    EXPECT_EQ(settle(early, configuration), none);
    EXPECT_EQ(phase(), circuit_phase::closed);
}

TEST_F(circuit_opening, follows_a_configuration_failure_at_once) {
    RecordProperty("rules", "BRK-CONFIG-001 BRK-CONFIG-002");
    settings_.allowed_fails = 100;
    EXPECT_EQ(attempt(configuration, false, 0.5), opened);
    EXPECT_EQ(circuit_.cause(), circuit_cause::configuration);
    EXPECT_EQ(circuit_.until(), now_ + 300s);
    EXPECT_TRUE(entry().configuration);
    now_ += 300s - 1ns;
    EXPECT_EQ(phase(), circuit_phase::open);
    now_ += 1ns;
    EXPECT_EQ(phase(), circuit_phase::half_open);
}

TEST_F(circuit_opening, follows_a_configuration_failure_also_without_a_cooldown) {
    RecordProperty("rules", "BRK-CONFIG-003");
    settings_.cooldown = 0s;
    EXPECT_EQ(attempt(configuration), opened);
    EXPECT_EQ(circuit_.until(), now_ + 300s);
}

class circuit_probe : public circuit_test {
protected:
    void SetUp() override {
        open();
        cool_down();
    }
};

TEST_F(circuit_probe, has_one_owner) {
    RecordProperty("rules", "BRK-PROBE-001");
    const auto probe = take();
    EXPECT_TRUE(probe.probe);
    EXPECT_EQ(phase(), circuit_phase::half_open);
    const auto entry = this->entry();
    EXPECT_EQ(entry.why, obstacle::probe);
    EXPECT_FALSE(entry.configuration);
    EXPECT_EQ(entry.until, now_ + 30s);
    EXPECT_THROW(take(), std::logic_error);
}

TEST_F(circuit_probe, closes_by_a_success) {
    RecordProperty("rules", "BRK-PROBE-003");
    EXPECT_EQ(attempt(success), closed);
    EXPECT_EQ(phase(), circuit_phase::closed);
    EXPECT_EQ(circuit_.openings(), 0U);
    EXPECT_FALSE(take().probe);
}

// The failures before the opening are forgotten
TEST_F(circuit_probe, closes_with_a_count_of_nothing) {
    RecordProperty("rules", "BRK-PROBE-003");
    attempt(success);
    EXPECT_EQ(circuit_.failures(now_, settings_), 0U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(attempt(transient), counted);
    EXPECT_EQ(attempt(transient), opened);
}

// Even if its logical request had failed here before
TEST_F(circuit_probe, reopens_by_a_failure) {
    RecordProperty("rules", "BRK-PROBE-004");
    EXPECT_EQ(attempt(transient, false), reopened);
    EXPECT_EQ(phase(), circuit_phase::open);
    EXPECT_EQ(circuit_.openings(), 2U);
}

TEST_F(circuit_probe, closes_when_the_upstream_is_alive) {
    RecordProperty("rules", "BRK-PROBE-005 BRK-PROBE-006");
    const auto half_open = circuit_;
    EXPECT_EQ(attempt(request), closed);
    EXPECT_EQ(phase(), circuit_phase::closed);
    circuit_ = half_open;
    EXPECT_EQ(attempt(throttle), closed);
    EXPECT_EQ(phase(), circuit_phase::closed);
}

TEST_F(circuit_probe, is_released_by_an_end_that_says_nothing) {
    RecordProperty("rules", "BRK-PROBE-007 BRK-PROBE-012");
    const auto first = take();
    now_ += 1s;
    EXPECT_EQ(settle(first, neutral), released);
    EXPECT_EQ(phase(), circuit_phase::half_open);
    EXPECT_LE(circuit_.until(), now_);
    EXPECT_TRUE(entry().open());
    EXPECT_EQ(circuit_.openings(), 1U);
    EXPECT_EQ(settle(first, success), none);
    EXPECT_EQ(phase(), circuit_phase::half_open);
    EXPECT_TRUE(take().probe);
}

TEST_F(circuit_probe, is_free_once_its_owner_is_lost) {
    RecordProperty("rules", "BRK-PROBE-008");
    take();
    now_ += 30s - 1ns;
    EXPECT_EQ(entry().why, obstacle::probe);
    now_ += 1ns;
    EXPECT_TRUE(entry().open());
    EXPECT_EQ(phase(), circuit_phase::half_open);
    EXPECT_TRUE(take().probe);
    EXPECT_EQ(entry().why, obstacle::probe);
}

TEST_F(circuit_probe, is_kept_by_an_owner_who_renews) {
    RecordProperty("rules", "BRK-PROBE-009");
    const auto probe = take();
    for (int i = 0; i < 10; ++i) {
        now_ += 10s;
        circuit_.renew(now_, probe, settings_);
    }
    now_ += 30s - 1ns;
    EXPECT_EQ(entry().why, obstacle::probe);
    now_ += 1ns;
    EXPECT_TRUE(entry().open());
}

TEST_F(circuit_probe, is_renewed_by_its_owner_only) {
    RecordProperty("rules", "BRK-PROBE-009 BRK-PROBE-011");
    const auto lost = take();
    now_ += 30s;
    const auto owner = take();
    now_ += 20s;
    circuit_.renew(now_, lost, settings_);
    circuit_.renew(now_, {.token = owner.token, .probe = false}, settings_);
    EXPECT_EQ(circuit_.until(), now_ + 10s);
    EXPECT_EQ(settle(owner, success), closed);
    circuit_.renew(now_, owner, settings_);
    EXPECT_TRUE(entry().open());
}

// Nobody knows better than a late owner, as long as nobody else probes
TEST_F(circuit_probe, is_decided_by_a_late_owner_who_was_not_replaced) {
    RecordProperty("rules", "BRK-PROBE-013");
    const auto probe = take();
    now_ += 31s;
    EXPECT_EQ(settle(probe, success), closed);
}

TEST_F(circuit_probe, is_kept_again_by_a_late_owner_who_was_not_replaced) {
    RecordProperty("rules", "BRK-PROBE-013");
    const auto probe = take();
    now_ += 31s;
    circuit_.renew(now_, probe, settings_);
    EXPECT_EQ(entry().why, obstacle::probe);
    EXPECT_EQ(entry().until, now_ + 30s);
}

TEST_F(circuit_probe, is_not_decided_by_an_owner_who_was_replaced) {
    RecordProperty("rules", "BRK-PROBE-011");
    const auto lost = take();
    now_ += 30s;
    const auto owner = take();
    for (const auto effect : {success, transient, configuration, throttle, request, neutral}) {
        EXPECT_EQ(settle(lost, effect), none);
        EXPECT_EQ(entry().why, obstacle::probe);
    }
    EXPECT_EQ(settle(owner, transient), reopened);
}

TEST_F(circuit_probe, is_decided_once) {
    RecordProperty("rules", "BRK-PROBE-011");
    const auto probe = take();
    EXPECT_EQ(settle(probe, success), closed);
    EXPECT_EQ(settle(probe, configuration), none);
    EXPECT_EQ(phase(), circuit_phase::closed);
}

TEST_F(circuit_probe, says_which_failure_opened_it) {
    now_ += 1s;
    EXPECT_EQ(attempt(configuration), reopened);
    EXPECT_EQ(circuit_.cause(), circuit_cause::configuration);
    cool_down();
    take();
    EXPECT_TRUE(entry().configuration);
}

class circuit_length : public circuit_test {
protected:
    /// Lets the probe after the running opening fail, and returns how long the next one is.
    base::duration reopen(double unit, attempt_effect effect = transient) {
        cool_down();
        EXPECT_EQ(attempt(effect, true, unit), reopened);
        return circuit_.until() - now_;
    }
};

TEST_F(circuit_length, doubles_with_each_probe_that_fails) {
    RecordProperty("rules", "BRK-LENGTH-001 BRK-LENGTH-002");
    open();
    for (const auto full : {10s, 20s, 40s, 80s, 160s, 300s, 300s, 300s}) EXPECT_EQ(reopen(0), full * 9 / 10);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(reopen(0), 270s);
}

TEST_F(circuit_length, is_spread_over_its_last_tenth) {
    RecordProperty("rules", "BRK-LENGTH-003");
    open();
    EXPECT_EQ(reopen(0), 9s);
    EXPECT_EQ(reopen(0.5), 19s);
    const auto longest = reopen(almost_one);
    EXPECT_LT(longest, 40s);
    EXPECT_GT(longest, 40s - 1us);
}

TEST_F(circuit_length, starts_over_once_the_circuit_was_closed) {
    RecordProperty("rules", "BRK-LENGTH-004");
    open();
    reopen(0);
    reopen(0);
    EXPECT_EQ(circuit_.openings(), 3U);
    cool_down();
    EXPECT_EQ(attempt(success), closed);
    open();
    EXPECT_EQ(circuit_.until() - now_, 5s);
    EXPECT_EQ(reopen(0), 9s);
}

TEST_F(circuit_length, goes_by_the_class_of_the_probe) {
    RecordProperty("rules", "BRK-LENGTH-005");
    settings_.configuration_cooldown = 60s;
    open();
    EXPECT_EQ(reopen(0, configuration), 108s); // 0.9 * 60 * 2
    EXPECT_EQ(reopen(0, transient), 18s);      // 0.9 * 5 * 4
    EXPECT_EQ(reopen(0, configuration), 270s); // 0.9 * min(60 * 8, 300)
}

TEST_F(circuit_length, is_never_capped_below_its_base) {
    RecordProperty("rules", "BRK-LENGTH-006");
    settings_.cooldown = 400s;
    open();
    EXPECT_EQ(circuit_.until() - now_, 400s);
    EXPECT_EQ(reopen(0), 360s);
    EXPECT_EQ(reopen(0), 360s);
}

// The circuit of a configuration failure exists, but no transient one follows
TEST_F(circuit_length, is_nothing_when_a_probe_fails_transiently_without_a_cooldown) {
    RecordProperty("rules", "BRK-COUNT-005");
    settings_.cooldown = 0s;
    attempt(configuration);
    EXPECT_EQ(reopen(0.5), 0s);
    EXPECT_EQ(phase(), circuit_phase::half_open);
    EXPECT_TRUE(entry().open());
    EXPECT_EQ(attempt(success), closed);
}

} // namespace
} // namespace turnout::routing
