#include <chrono>
#include <stdexcept>

#include <gmock/gmock.h>

#include "routing/circuit_case.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using enum attempt_effect;
using enum circuit_change;

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

} // namespace
} // namespace turnout::routing
