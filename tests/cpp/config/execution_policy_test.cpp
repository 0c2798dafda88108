#include <chrono>

#include <gtest/gtest.h>

#include "config/default_policies.hpp"

namespace turnout::config {
namespace {

using namespace std::chrono_literals;

struct documented {
    operation of;
    operation_policies policies;
};

const documented table[] = {
    {operation::chat, {{600s, {}, 1800s, 3}, {600s, 600s, 3600s, 3}}},
    {operation::images_generations, {{600s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}}},
    {operation::images_edits, {{600s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}}},
    {operation::videos_generations, {{120s, {}, 300s, 2}, {120s, 120s, 900s, 2}}},
    {operation::audio_transcriptions, {{900s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}}},
    {operation::audio_speech, {{900s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}}},
    {operation::embeddings, {{120s, {}, 300s, 3}, {120s, {}, 300s, 3}}},
    {operation::rerank, {{120s, {}, 300s, 3}, {120s, {}, 300s, 3}}},
};

TEST(DefaultPolicies, AreTheDocumentedOnes) {
    const auto defaults = default_policies();
    ASSERT_EQ(std::size(table), operations.size());
    for (const documented& row : table) {
        EXPECT_EQ(defaults[row.of], row.policies) << to_string(row.of);
    }
}

constexpr execution_policy stream{.response = 100ms, .idle = 50ms, .total = 1000ms, .max_attempts = 3};

TEST(Effective, IsThePolicyWithoutAnOverride) {
    EXPECT_EQ(effective(stream, nullptr, true), stream);
    const policy_override nothing;
    EXPECT_EQ(effective(stream, &nothing, true), stream);
}

TEST(Effective, TakesTheSmallerOfBoth) {
    const policy_override tighter{.response = 99ms, .idle = 49ms, .total = 999ms};
    EXPECT_EQ(effective(stream, &tighter, true), (execution_policy{99ms, 49ms, 1000ms, 3}));
    const policy_override looser{.response = 101ms, .idle = 51ms, .total = 1001ms};
    EXPECT_EQ(effective(stream, &looser, true), stream);
}

TEST(Effective, BoundsTheIdleTimeOfStreamsOnly) {
    const execution_policy endless{.response = 100ms, .idle = {}, .total = 1000ms, .max_attempts = 3};
    const policy_override idle{.response = {}, .idle = 70ms, .total = {}};
    EXPECT_EQ(effective(endless, &idle, true).idle, 70ms);
    EXPECT_EQ(effective(endless, &idle, false).idle, std::nullopt);
}

TEST(PolicyOverrides, PreferTheSpecificEntryAsAWhole) {
    policy_overrides overrides;
    EXPECT_EQ(overrides.of(operation::chat), nullptr);
    overrides.all = policy_override{.response = 1ms, .idle = 2ms, .total = 3ms};
    overrides.specific[operation::chat] = policy_override{.response = 9ms, .idle = {}, .total = {}};
    EXPECT_EQ(*overrides.of(operation::chat), (policy_override{.response = 9ms, .idle = {}, .total = {}}));
    EXPECT_EQ(*overrides.of(operation::rerank), *overrides.all);
}

} // namespace
} // namespace turnout::config
