#include <chrono>

#include <gtest/gtest.h>

#include "config/default_policies.hpp"

namespace turnout::config {
namespace {

using namespace std::chrono_literals;

constexpr execution_policy chat_stream{600s, 600s, 3600s, 3};
constexpr execution_policy chat_json{600s, {}, 1800s, 3};
constexpr operation_policies images{{600s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}};
constexpr operation_policies audio{{900s, {}, 1800s, 2}, {600s, 300s, 1800s, 2}};
constexpr operation_policies lists{{120s, {}, 300s, 3}, {120s, {}, 300s, 3}};
constexpr execution_policy video_json{120s, {}, 300s, 2};
constexpr execution_policy video_download{120s, 120s, 900s, 2};

TEST(DefaultPolicies, OfChatStreams) {
    RecordProperty("rules", "CFG-DEFAULT-001");
    EXPECT_EQ(default_policies()[operation::chat].stream, chat_stream);
}

TEST(DefaultPolicies, OfChatJson) {
    RecordProperty("rules", "CFG-DEFAULT-002");
    EXPECT_EQ(default_policies()[operation::chat].json, chat_json);
}

TEST(DefaultPolicies, OfImages) {
    RecordProperty("rules", "CFG-DEFAULT-003");
    EXPECT_EQ(default_policies()[operation::images_generations], images);
    EXPECT_EQ(default_policies()[operation::images_edits], images);
}

TEST(DefaultPolicies, OfAudio) {
    RecordProperty("rules", "CFG-DEFAULT-004");
    EXPECT_EQ(default_policies()[operation::audio_transcriptions], audio);
    EXPECT_EQ(default_policies()[operation::audio_speech], audio);
}

TEST(DefaultPolicies, OfEmbeddingsAndReranking) {
    RecordProperty("rules", "CFG-DEFAULT-005");
    EXPECT_EQ(default_policies()[operation::embeddings], lists);
    EXPECT_EQ(default_policies()[operation::rerank], lists);
}

TEST(DefaultPolicies, OfVideosWithoutTheirDownload) {
    RecordProperty("rules", "CFG-DEFAULT-006");
    EXPECT_EQ(default_policies()[operation::videos_generations].json, video_json);
}

TEST(DefaultPolicies, OfDownloadingVideos) {
    RecordProperty("rules", "CFG-DEFAULT-007");
    EXPECT_EQ(default_policies()[operation::videos_generations].stream, video_download);
}

constexpr execution_policy stream{.response = 100ms, .idle = 50ms, .total = 1000ms, .max_attempts = 3};

TEST(Effective, IsThePolicyWithoutAnOverride) {
    EXPECT_EQ(effective(stream, nullptr, true), stream);
    const policy_override nothing;
    EXPECT_EQ(effective(stream, &nothing, true), stream);
}

TEST(Effective, TakesTheSmallerOfBoth) {
    RecordProperty("rules", "CFG-OVERRIDE-003");
    const policy_override tighter{.response = 99ms, .idle = 49ms, .total = 999ms};
    EXPECT_EQ(effective(stream, &tighter, true), (execution_policy{99ms, 49ms, 1000ms, 3}));
    const policy_override looser{.response = 101ms, .idle = 51ms, .total = 1001ms};
    EXPECT_EQ(effective(stream, &looser, true), stream);
}

TEST(Effective, BoundsTheIdleTimeOfStreamsOnly) {
    RecordProperty("rules", "CFG-OVERRIDE-005");
    const execution_policy endless{.response = 100ms, .idle = {}, .total = 1000ms, .max_attempts = 3};
    const policy_override idle{.response = {}, .idle = 70ms, .total = {}};
    EXPECT_EQ(effective(endless, &idle, true).idle, 70ms);
    EXPECT_EQ(effective(endless, &idle, false).idle, std::nullopt);
}

TEST(PolicyOverrides, PreferTheSpecificEntryAsAWhole) {
    RecordProperty("rules", "CFG-OVERRIDE-004");
    policy_overrides overrides;
    EXPECT_EQ(overrides.of(operation::chat), nullptr);
    overrides.all = policy_override{.response = 1ms, .idle = 2ms, .total = 3ms};
    overrides.specific[operation::chat] = policy_override{.response = 9ms, .idle = {}, .total = {}};
    EXPECT_EQ(*overrides.of(operation::chat), (policy_override{.response = 9ms, .idle = {}, .total = {}}));
    EXPECT_EQ(*overrides.of(operation::rerank), *overrides.all);
}

} // namespace
} // namespace turnout::config
