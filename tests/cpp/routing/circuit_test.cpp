#include <chrono>
#include <stdexcept>

#include <gmock/gmock.h>

#include "routing/circuit_case.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using enum attempt_effect;
using enum circuit_change;

TEST(circuit_settings_test, have_the_documented_defaults) {
    RecordProperty("rules", "BRK-DEFAULT-001");
    const circuit_settings settings;
    EXPECT_EQ(settings.allowed_fails, 3U);
    EXPECT_EQ(settings.cooldown, 5s);
    EXPECT_EQ(settings.failure_window, 60s);
    EXPECT_EQ(settings.max_cooldown, 300s);
    EXPECT_EQ(settings.half_open_probe, 30s);
    EXPECT_EQ(settings.configuration_cooldown, 300s);
    EXPECT_EQ(settings.throttle_cooldown, 5s);
}

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

} // namespace
} // namespace turnout::routing
