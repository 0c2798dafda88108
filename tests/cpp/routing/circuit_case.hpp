#pragma once

#include <chrono>

#include <gtest/gtest.h>

#include "routing/circuit.hpp"

namespace turnout::routing {

/// One circuit with the default settings, at a moment that the test moves.
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
        for (unsigned i = 0; i < settings_.allowed_fails; ++i)
            ASSERT_EQ(attempt(attempt_effect::transient), circuit_change::counted);
        ASSERT_EQ(attempt(attempt_effect::transient), circuit_change::opened);
    }

    /// Waits until the circuit is half-open.
    void cool_down() { now_ = circuit_.until(); }

    circuit_phase phase() const { return circuit_.phase(now_); }
    gate entry() const { return circuit_.entry(now_); }

    circuit circuit_;
    circuit_settings settings_;
    base::instant now_{std::chrono::seconds(1000)};
};

} // namespace turnout::routing
