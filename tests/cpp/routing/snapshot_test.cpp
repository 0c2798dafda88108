#include <chrono>
#include <optional>

#include <gmock/gmock.h>

#include "routing/snapshot.hpp"

namespace turnout::routing {
namespace {

using namespace std::chrono_literals;

constexpr base::instant now{1000s};

TEST(deployment_snapshot, has_a_health_of_successes_over_all) {
    RecordProperty("rules", "MET-HEALTH-001");
    EXPECT_DOUBLE_EQ((deployment_snapshot{.successes = 3, .failed = 1}.health()), 0.75);
    EXPECT_DOUBLE_EQ((deployment_snapshot{.successes = 1, .failed = 0}.health()), 1);
    EXPECT_DOUBLE_EQ((deployment_snapshot{.successes = 0, .failed = 1}.health()), 0);
}

TEST(deployment_snapshot, is_neither_healthy_nor_ill_without_a_record) {
    RecordProperty("rules", "MET-HEALTH-002");
    EXPECT_FALSE(deployment_snapshot{}.has_record());
    EXPECT_DOUBLE_EQ(deployment_snapshot{}.health(), 0.5);
    EXPECT_TRUE((deployment_snapshot{.failed = 1}.has_record()));
}

void expect_status(const deployment_snapshot& s, availability value, std::optional<base::duration> retry_after) {
    const auto status = status_of(s, now);
    EXPECT_EQ(to_string(status.value), to_string(value));
    EXPECT_EQ(status.retry_after, retry_after);
}

TEST(view_status, is_available_when_nothing_is_in_the_way) {
    RecordProperty("rules", "BRK-VIEW-001");
    expect_status({}, availability::available, std::nullopt);
}

TEST(view_status, names_an_open_circuit_before_everything_else) {
    RecordProperty("rules", "BRK-VIEW-002 BRK-VIEW-005");
    expect_status({.entry = {.why = obstacle::circuit, .until = now + 40s},
                   .circuit = circuit_phase::open,
                   .circuit_until = now + 4s},
                  availability::cooldown, 4s);
}

TEST(view_status, says_how_long_a_probe_is_still_owned) {
    RecordProperty("rules", "BRK-VIEW-003 BRK-VIEW-005");
    expect_status({.entry = {.why = obstacle::probe, .until = now + 40s},
                   .circuit = circuit_phase::half_open,
                   .circuit_until = now + 12s},
                  availability::half_open, 12s);
}

// Also when a limit would refuse the probe
TEST(view_status, is_half_open_without_an_owner) {
    RecordProperty("rules", "BRK-VIEW-003 BRK-VIEW-005");
    expect_status({.circuit = circuit_phase::half_open, .circuit_until = now - 7s}, availability::half_open, 0s);
    expect_status({.entry = {.why = obstacle::limit, .until = now + 40s},
                   .circuit = circuit_phase::half_open,
                   .circuit_until = now},
                  availability::half_open, 0s);
}

TEST(view_status, is_rate_limited_by_limits_and_by_capacity) {
    RecordProperty("rules", "BRK-VIEW-004");
    expect_status({.entry = {.why = obstacle::limit, .until = now + 40s}}, availability::rate_limited, 40s);
    expect_status({.entry = {.why = obstacle::capacity, .until = now + 5s}}, availability::rate_limited, 5s);
}

TEST(availability, has_the_names_of_the_view) {
    RecordProperty("rules", "BRK-VIEW-001 BRK-VIEW-002 BRK-VIEW-003 BRK-VIEW-004");
    EXPECT_EQ(to_string(availability::available), "available");
    EXPECT_EQ(to_string(availability::cooldown), "cooldown");
    EXPECT_EQ(to_string(availability::half_open), "half_open");
    EXPECT_EQ(to_string(availability::rate_limited), "rate_limited");
}

} // namespace
} // namespace turnout::routing
