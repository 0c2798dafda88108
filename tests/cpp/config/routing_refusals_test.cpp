#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "documents.hpp"

namespace turnout::config {
namespace {

class RoutingRefusals : public testing::TestWithParam<refusal> {};

TEST_P(RoutingRefusals, AreListedWithTheirPaths) {
    EXPECT_THAT(problems_of(GetParam().document), testing::ElementsAreArray(GetParam().lines)) << GetParam().document;
}

std::string router(std::string_view members) { return document_with("routerSettings: {" + std::string{members} + "}"); }

std::string policy(std::string_view members) {
    return router("executionPolicies: {chat: {" + std::string{members} + "}}");
}

std::string overriding(std::string_view members) {
    return document_with_deployment(", executionPolicyOverrides: {" + std::string{members} + "}");
}

/// Two served models, `gpt` and the disabled `other`, and `chains`.
std::string fallbacks(std::string_view chains) {
    return "deployments: [" + deployment_with("")
           + ", {publicModel: other, adapterKey: openai, upstreamModel: u, credentials: {apiKey: k}, enabled: false}]\n"
             "fallbacks: ["
           + std::string{chains} + "]\n";
}

const std::string one_hour = "must be an integer from 1 to 3600000";
const std::string day_or_none = ": must be an integer from 0 to 86400";
const std::string day = ": must be an integer from 1 to 86400";
const std::string unsupported = ": not supported by this version";
const std::string replaced = ": was replaced by responseMs and idleMs";
const std::string per_minute = ": must be null or an integer from 1 to 1000000000000";
const std::string cents = ": must be a number from 0 to 1000000000";
const std::string override_path = "deployments[0].executionPolicyOverrides.";

INSTANTIATE_TEST_SUITE_P(
    Settings, RoutingRefusals,
    testing::Values(
        refusal{"strategy",
                router("routingStrategy: round-robin"),
                {"routerSettings.routingStrategy: must be one of: simple-shuffle, least-busy, usage-based-rpm, "
                 "usage-based-tpm, latency-based, throughput-based, price-based, health-aware"}},
        refusal{"strategy quoted", router("routingStrategy: 'simple-shuffle'"), {}},
        refusal{"parameters",
                router("unsupportedParameterStrategy: drop"),
                {"routerSettings.unsupportedParameterStrategy" + unsupported}},
        refusal{"least",
                router("allowedFails: 0, cooldownSeconds: 0, failureWindowSeconds: 1, maxCooldownSeconds: 1, "
                       "halfOpenProbeSeconds: 1, configurationCooldownSeconds: 1, throttleCooldownSeconds: 1, "
                       "retryAfterSeconds: 0"),
                {}},
        refusal{"most",
                router("allowedFails: 1000000, cooldownSeconds: 86400, failureWindowSeconds: 86400, "
                       "maxCooldownSeconds: 86400, halfOpenProbeSeconds: 86400, configurationCooldownSeconds: 86400, "
                       "throttleCooldownSeconds: 86400, retryAfterSeconds: 86400"),
                {}},
        refusal{"below",
                router("allowedFails: -1, cooldownSeconds: -1, failureWindowSeconds: 0, maxCooldownSeconds: 0, "
                       "halfOpenProbeSeconds: 0, configurationCooldownSeconds: 0, throttleCooldownSeconds: 0, "
                       "retryAfterSeconds: -1"),
                {"routerSettings.allowedFails: must be an integer from 0 to 1000000",
                 "routerSettings.cooldownSeconds" + day_or_none, "routerSettings.failureWindowSeconds" + day,
                 "routerSettings.maxCooldownSeconds" + day, "routerSettings.halfOpenProbeSeconds" + day,
                 "routerSettings.configurationCooldownSeconds" + day, "routerSettings.throttleCooldownSeconds" + day,
                 "routerSettings.retryAfterSeconds" + day_or_none}},
        refusal{"above",
                router("allowedFails: 1000001, cooldownSeconds: 86401, failureWindowSeconds: 86401, "
                       "maxCooldownSeconds: 86401, halfOpenProbeSeconds: 86401, configurationCooldownSeconds: 86401, "
                       "throttleCooldownSeconds: 86401, retryAfterSeconds: 86401"),
                {"routerSettings.allowedFails: must be an integer from 0 to 1000000",
                 "routerSettings.cooldownSeconds" + day_or_none, "routerSettings.failureWindowSeconds" + day,
                 "routerSettings.maxCooldownSeconds" + day, "routerSettings.halfOpenProbeSeconds" + day,
                 "routerSettings.configurationCooldownSeconds" + day, "routerSettings.throttleCooldownSeconds" + day,
                 "routerSettings.retryAfterSeconds" + day_or_none}},
        refusal{"fraction", router("cooldownSeconds: 0.5"), {"routerSettings.cooldownSeconds" + day_or_none}},
        refusal{"null",
                router("allowedFails: null"),
                {"routerSettings.allowedFails: must be an integer from 0 to 1000000"}}));

const std::string operation_names = "chat, images.generations, images.edits, videos.generations, audio.transcriptions, "
                                    "audio.speech, embeddings, rerank";
const std::string override_names = "; known here are responseMs, idleMs, totalMs";

INSTANTIATE_TEST_SUITE_P(
    Policies, RoutingRefusals,
    testing::Values(
        refusal{"every operation",
                router("executionPolicies: {chat: {}, images.generations: {}, images.edits: {}, "
                       "videos.generations: {}, audio.transcriptions: {}, audio.speech: {}, embeddings: {}, "
                       "rerank: {}}"),
                {}},
        refusal{"unknown operation",
                router("executionPolicies: {speech: {}, all: {}}"),
                {"routerSettings.executionPolicies.speech: unknown field; known here are " + operation_names,
                 "routerSettings.executionPolicies.all: unknown field; known here are " + operation_names}},
        refusal{"path of a dotted operation",
                router("executionPolicies: {images.edits: {json: {totalMs: 0}}}"),
                {"routerSettings.executionPolicies[\"images.edits\"].json.totalMs: " + one_hour}},
        refusal{"idle of embeddings",
                router("executionPolicies: {embeddings: {json: {idleMs: 1}}}"),
                {"routerSettings.executionPolicies.embeddings.json.idleMs: must be null"}},
        refusal{"response least", policy("json: {responseMs: 1}"), {}},
        refusal{"response below",
                policy("json: {responseMs: 0}"),
                {"routerSettings.executionPolicies.chat.json.responseMs: " + one_hour}},
        refusal{"response most", policy("stream: {responseMs: 3600000}"), {}},
        refusal{"response above",
                policy("stream: {responseMs: 3600001}"),
                {"routerSettings.executionPolicies.chat.stream.responseMs: " + one_hour}},
        refusal{"response null",
                policy("json: {responseMs: null}"),
                {"routerSettings.executionPolicies.chat.json.responseMs: " + one_hour}},
        refusal{"total below",
                policy("json: {totalMs: 0}"),
                {"routerSettings.executionPolicies.chat.json.totalMs: " + one_hour}},
        refusal{"attempts least", policy("json: {maxAttempts: 1}"), {}},
        refusal{"attempts below",
                policy("json: {maxAttempts: 0}"),
                {"routerSettings.executionPolicies.chat.json.maxAttempts: must be an integer from 1 to 20"}},
        refusal{"attempts most", policy("json: {maxAttempts: 20}"), {}},
        refusal{"attempts above",
                policy("json: {maxAttempts: 21}"),
                {"routerSettings.executionPolicies.chat.json.maxAttempts: must be an integer from 1 to 20"}},
        refusal{"stream idle null", policy("stream: {idleMs: null}"), {}},
        refusal{"stream idle empty", policy("stream: {idleMs: }"), {}},
        refusal{"stream idle quoted null",
                policy("stream: {idleMs: 'null'}"),
                {"routerSettings.executionPolicies.chat.stream.idleMs: must be null or an integer from 1 to 3600000"}},
        refusal{"stream idle most", policy("stream: {idleMs: 3600000}"), {}},
        refusal{"stream idle below",
                policy("stream: {idleMs: 0}"),
                {"routerSettings.executionPolicies.chat.stream.idleMs: must be null or an integer from 1 to 3600000"}},
        refusal{"stream idle list",
                policy("stream: {idleMs: []}"),
                {"routerSettings.executionPolicies.chat.stream.idleMs: must be null or an integer from 1 to 3600000"}},
        refusal{"JSON idle null", policy("json: {idleMs: null}"), {}},
        refusal{"JSON idle",
                policy("json: {idleMs: 1}"),
                {"routerSettings.executionPolicies.chat.json.idleMs: must be null"}},
        refusal{"deadlines of earlier releases",
                policy("json: {firstOutputMs: 1}, stream: {reasoningOnlyMs: null, preCommitMs: 1}"),
                {"routerSettings.executionPolicies.chat.json.firstOutputMs" + replaced,
                 "routerSettings.executionPolicies.chat.stream.reasoningOnlyMs" + replaced,
                 "routerSettings.executionPolicies.chat.stream.preCommitMs" + replaced}}));

INSTANTIATE_TEST_SUITE_P(
    Overrides, RoutingRefusals,
    testing::Values(refusal{"least", overriding("all: {responseMs: 1, idleMs: 1, totalMs: 1}"), {}},
                    refusal{"most", overriding("rerank: {responseMs: 3600000, idleMs: 3600000, totalMs: 3600000}"), {}},
                    refusal{"none", overriding(""), {}}, refusal{"empty", overriding("chat: {}"), {}},
                    refusal{"below",
                            overriding("chat: {responseMs: 0, idleMs: 0, totalMs: 0}"),
                            {override_path + "chat.responseMs: " + one_hour, override_path + "chat.idleMs: " + one_hour,
                             override_path + "chat.totalMs: " + one_hour}},
                    refusal{"above",
                            overriding("all: {responseMs: 3600001, idleMs: 3600001, totalMs: 3600001}"),
                            {override_path + "all.responseMs: " + one_hour, override_path + "all.idleMs: " + one_hour,
                             override_path + "all.totalMs: " + one_hour}},
                    refusal{"no limit", overriding("all: {idleMs: null}"), {override_path + "all.idleMs: " + one_hour}},
                    refusal{"attempts",
                            overriding("all: {maxAttempts: 1}"),
                            {override_path + "all.maxAttempts: unknown field" + override_names}},
                    refusal{"modes",
                            overriding("chat: {stream: {}}"),
                            {override_path + "chat.stream: unknown field" + override_names}},
                    refusal{"unknown operation",
                            overriding("speech: {}"),
                            {override_path + "speech: unknown field; known here are all, " + operation_names}},
                    refusal{"null",
                            document_with_deployment(", executionPolicyOverrides: null"),
                            {"deployments[0].executionPolicyOverrides: must be a map"}},
                    refusal{"deadlines of earlier releases",
                            overriding("chat: {firstOutputMs: 1, reasoningOnlyMs: 1, preCommitMs: 1}"),
                            {override_path + "chat.firstOutputMs" + replaced,
                             override_path + "chat.reasoningOnlyMs" + replaced,
                             override_path + "chat.preCommitMs" + replaced}}));

INSTANTIATE_TEST_SUITE_P(
    Limits, RoutingRefusals,
    testing::Values(
        refusal{"least", document_with_deployment(", rpmLimit: 1, tpmLimit: 1"), {}},
        refusal{"most", document_with_deployment(", rpmLimit: 1000000000000, tpmLimit: 1000000000000"), {}},
        refusal{"below",
                document_with_deployment(", rpmLimit: 0, tpmLimit: -1"),
                {"deployments[0].rpmLimit" + per_minute, "deployments[0].tpmLimit" + per_minute}},
        refusal{"above",
                document_with_deployment(", rpmLimit: 1000000000001, tpmLimit: 1000000000001"),
                {"deployments[0].rpmLimit" + per_minute, "deployments[0].tpmLimit" + per_minute}},
        refusal{"fraction", document_with_deployment(", tpmLimit: 1.5"), {"deployments[0].tpmLimit" + per_minute}},
        refusal{"domain empty",
                document_with_deployment(", failureDomain: ''"),
                {"deployments[0].failureDomain: must not be empty"}},
        refusal{"domain number",
                document_with_deployment(", failureDomain: 7"),
                {"deployments[0].failureDomain: must be a string; put it in quotes"}}));

INSTANTIATE_TEST_SUITE_P(
    Pricing, RoutingRefusals,
    testing::Values(
        refusal{"none", document_with_deployment(", pricing: {}"), {}},
        refusal{"least and most",
                document_with_deployment(", pricing: {inputCentsPerMTokens: 0, outputCentsPerMTokens: 1e9, "
                                         "searchUnitCents: 0.001}"),
                {}},
        refusal{"below and above",
                document_with_deployment(", pricing: {inputCentsPerMTokens: -0.001, outputCentsPerMTokens: "
                                         "1000000000.5, searchUnitCents: 1e999}"),
                {"deployments[0].pricing.inputCentsPerMTokens" + cents,
                 "deployments[0].pricing.outputCentsPerMTokens" + cents,
                 "deployments[0].pricing.searchUnitCents" + cents}},
        refusal{"no numbers",
                document_with_deployment(", pricing: {inputCentsPerMTokens: .nan, outputCentsPerMTokens: .inf, "
                                         "searchUnitCents: '1'}"),
                {"deployments[0].pricing.inputCentsPerMTokens" + cents,
                 "deployments[0].pricing.outputCentsPerMTokens" + cents,
                 "deployments[0].pricing.searchUnitCents" + cents}},
        refusal{"words and null",
                document_with_deployment(", pricing: {inputCentsPerMTokens: null, outputCentsPerMTokens: nan, "
                                         "searchUnitCents: inf}"),
                {"deployments[0].pricing.inputCentsPerMTokens" + cents,
                 "deployments[0].pricing.outputCentsPerMTokens" + cents,
                 "deployments[0].pricing.searchUnitCents" + cents}},
        refusal{"list", document_with_deployment(", pricing: [1]"), {"deployments[0].pricing: must be a map"}},
        refusal{"later fields",
                document_with_deployment(", pricing: {cacheReadCentsPerMTokens: 1, cacheWriteCentsPerMTokens: 1, "
                                         "cacheWriteCentsPerMTokensByTtl: {}, tiers: [], audioInputCentsPerMinute: 1, "
                                         "cents: 1}"),
                {"deployments[0].pricing.cacheReadCentsPerMTokens" + unsupported,
                 "deployments[0].pricing.cacheWriteCentsPerMTokens" + unsupported,
                 "deployments[0].pricing.cacheWriteCentsPerMTokensByTtl" + unsupported,
                 "deployments[0].pricing.tiers" + unsupported,
                 "deployments[0].pricing.audioInputCentsPerMinute" + unsupported,
                 "deployments[0].pricing.cents: unknown field; known here are inputCentsPerMTokens, "
                 "outputCentsPerMTokens, searchUnitCents"}}));

INSTANTIATE_TEST_SUITE_P(
    Fallbacks, RoutingRefusals,
    testing::Values(
        refusal{"none", fallbacks(""), {}},
        refusal{"to a disabled deployment", fallbacks("{primaryModel: gpt, fallbackModels: [other]}"), {}},
        refusal{"from a disabled deployment", fallbacks("{primaryModel: other, fallbackModels: [gpt]}"), {}},
        refusal{"every reason",
                fallbacks("{primaryModel: gpt, fallbackModels: [other]}, "
                          "{primaryModel: gpt, reason: context_window, fallbackModels: [other]}, "
                          "{primaryModel: gpt, reason: content_policy, fallbackModels: [other]}"),
                {}},
        refusal{"before the deployments",
                document_with("fallbacks: [{fallbackModels: [gpt], primaryModel: gpt}]"),
                {"fallbacks[0].fallbackModels[0]: must not be the primaryModel itself"}},
        refusal{"map", document_with("fallbacks: {}"), {"fallbacks: must be a list"}},
        refusal{"empty item",
                fallbacks("{}"),
                {"fallbacks[0].primaryModel: is required", "fallbacks[0].fallbackModels: is required"}},
        refusal{"reason",
                fallbacks("{primaryModel: gpt, reason: timeout, fallbackModels: [other]}"),
                {"fallbacks[0].reason: must be one of: general, context_window, content_policy"}},
        refusal{"unknown names",
                fallbacks("{primaryModel: a, fallbackModels: [other, b]}"),
                {"fallbacks[0].primaryModel: must be the publicModel of a deployment",
                 "fallbacks[0].fallbackModels[1]: must be the publicModel of a deployment"}},
        refusal{"unknown names beside a deployment without one",
                "deployments: [{adapterKey: openai, upstreamModel: u, credentials: {apiKey: k}}]\n"
                "fallbacks: [{primaryModel: a, fallbackModels: [b]}]",
                {"deployments[0].publicModel: is required"}},
        refusal{"no target",
                fallbacks("{primaryModel: gpt, fallbackModels: []}"),
                {"fallbacks[0].fallbackModels: must be a list of 1 to 5 public models"}},
        refusal{"one name",
                fallbacks("{primaryModel: gpt, fallbackModels: other}"),
                {"fallbacks[0].fallbackModels: must be a list of 1 to 5 public models"}},
        refusal{"six targets",
                fallbacks("{primaryModel: gpt, fallbackModels: [other, other, other, other, other, other]}"),
                {"fallbacks[0].fallbackModels: must be a list of 1 to 5 public models"}},
        refusal{"twice the same target",
                fallbacks("{primaryModel: gpt, fallbackModels: [other, other]}"),
                {"fallbacks[0].fallbackModels[1]: must be unique within fallbackModels"}},
        refusal{"twice the same chain",
                fallbacks("{primaryModel: gpt, fallbackModels: [other]}, "
                          "{primaryModel: gpt, reason: general, fallbackModels: [other]}"),
                {"fallbacks[1]: must have a primaryModel and reason of its own; fallbacks[0] has both too"}},
        refusal{"unknown field",
                fallbacks("{primaryModel: gpt, fallbackModels: [other], maxAttempts: 3}"),
                {"fallbacks[0].maxAttempts: unknown field; known here are primaryModel, reason, fallbackModels"}}));

TEST(Fallbacks, HaveUpToFiveTargets) {
    std::string document = "deployments: [" + deployment_with("");
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        document += std::string{", {publicModel: "} + name
                    + ", adapterKey: openai, upstreamModel: u, credentials: {apiKey: k}}";
    }
    EXPECT_THAT(problems_of(document + "]\nfallbacks: [{primaryModel: gpt, fallbackModels: [e, d, c, b, a]}]"),
                testing::IsEmpty());
}

} // namespace
} // namespace turnout::config
