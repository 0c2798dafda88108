#include <chrono>

#include <gmock/gmock.h>

#include "routing/circuit_case.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;
using enum attempt_effect;
using enum circuit_change;

constexpr double almost_one = 1 - 1e-9;

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
