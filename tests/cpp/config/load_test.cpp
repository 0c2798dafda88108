#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load.hpp"
#include "documents.hpp"

namespace turnout::config {
namespace {

using namespace std::chrono_literals;
using base::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr std::string_view full_document = R"(
server:
  host: 127.0.0.1
  port: 0
  workers: 2
  masterKey: ${A_KEY}
  requestBodyBytes: 1000
  streamHoldBytes: 2000
  clientWriteStallMs: 3000
  shutdownGraceMs: 0
network:
  caFile: authorities.pem
  dnsServers: [192.0.2.1, "192.0.2.2:5353", "2001:db8::1", "[2001:db8::2]:65535", "[2001:db8::3]"]
  connectMs: 60000
routerSettings:
  routingStrategy: health-aware
  allowedFails: 0
  cooldownSeconds: 10
  failureWindowSeconds: 61
  maxCooldownSeconds: 301
  halfOpenProbeSeconds: 31
  configurationCooldownSeconds: 302
  throttleCooldownSeconds: 6
  retryAfterSeconds: 1
  executionPolicies:
    chat:
      json: {responseMs: 1, idleMs: null, totalMs: 2, maxAttempts: 4}
      stream: {responseMs: 5, idleMs: 6, totalMs: 7, maxAttempts: 8}
deployments:
  - label: primary
    publicModel: gpt
    adapterKey: openaicompatible
    upstreamModel: gpt-4o
    credentials: {apiKey: "${A_KEY}", baseUrl: "http://127.0.0.1:9001/v1/"}
    weight: 5
    enabled: false
    streamUsage: false
    rpmLimit: 60
    tpmLimit: 100000
    failureDomain: account
    pricing: {inputCentsPerMTokens: 12.5, outputCentsPerMTokens: 1e2, searchUnitCents: 0}
    executionPolicyOverrides:
      all: {responseMs: 8}
      chat: {idleMs: 9, totalMs: 10}
  - id: second
    publicModel: gpt
    adapterKey: openai
    upstreamModel: gpt-4o
    credentials: {apiKey: sk-b}
  - {id: third, publicModel: other, adapterKey: openai, upstreamModel: o, credentials: {apiKey: sk-c}, enabled: false}
keys:
  - {name: demo, key: sk-client}
fallbacks:
  - {primaryModel: gpt, fallbackModels: [other]}
  - {primaryModel: gpt, reason: context_window, fallbackModels: [other]}
)";

configuration valid(std::string_view text) {
    auto result = load_text(text);
    if (!std::holds_alternative<configuration>(result)) {
        ADD_FAILURE() << testing::PrintToString(problems_of(text));
        return {};
    }
    return std::get<configuration>(std::move(result));
}

auto server_at(std::string_view address, std::uint16_t port) {
    return AllOf(Field(&name_server::address, address), Field(&name_server::port, port));
}

TEST(Load, ReadsEveryField) {
    const configuration c = valid(full_document);

    EXPECT_EQ(c.server.host, "127.0.0.1");
    EXPECT_EQ(c.server.port, 0);
    EXPECT_EQ(c.server.workers, 2U);
    EXPECT_EQ(c.server.master_key, "sk-a-1");
    EXPECT_EQ(c.server.request_body_bytes, 1000U);
    EXPECT_EQ(c.server.stream_hold_bytes, 2000U);
    EXPECT_EQ(c.server.client_write_stall, milliseconds{3000});
    EXPECT_EQ(c.server.shutdown_grace, milliseconds{0});

    EXPECT_EQ(c.network.ca_file, "authorities.pem");
    EXPECT_THAT(c.network.dns_servers,
                ElementsAre(server_at("192.0.2.1", 53), server_at("192.0.2.2", 5353), server_at("2001:db8::1", 53),
                            server_at("2001:db8::2", 65535), server_at("2001:db8::3", 53)));
    EXPECT_EQ(c.network.connect, milliseconds{60'000});

    EXPECT_EQ(c.router.strategy, routing::strategy::health_aware);
    EXPECT_EQ(c.router.circuits.allowed_fails, 0U);
    EXPECT_EQ(c.router.circuits.cooldown, 10s);
    EXPECT_EQ(c.router.circuits.failure_window, 61s);
    EXPECT_EQ(c.router.circuits.max_cooldown, 301s);
    EXPECT_EQ(c.router.circuits.half_open_probe, 31s);
    EXPECT_EQ(c.router.circuits.configuration_cooldown, 302s);
    EXPECT_EQ(c.router.circuits.throttle_cooldown, 6s);
    EXPECT_EQ(c.router.retry_after, 1s);
    EXPECT_EQ(c.router.of(operation::chat).json.response, milliseconds{1});
    EXPECT_EQ(c.router.of(operation::chat).json.idle, std::nullopt);
    EXPECT_EQ(c.router.of(operation::chat).json.total, milliseconds{2});
    EXPECT_EQ(c.router.of(operation::chat).json.max_attempts, 4U);
    EXPECT_EQ(c.router.of(operation::chat).stream.response, milliseconds{5});
    EXPECT_EQ(c.router.of(operation::chat).stream.idle, milliseconds{6});
    EXPECT_EQ(c.router.of(operation::chat).stream.total, milliseconds{7});
    EXPECT_EQ(c.router.of(operation::chat).stream.max_attempts, 8U);

    ASSERT_EQ(c.deployments.size(), 3U);
    EXPECT_EQ(c.deployments[0].id, "primary");
    EXPECT_EQ(c.deployments[0].label, "primary");
    EXPECT_EQ(c.deployments[0].public_model, "gpt");
    EXPECT_EQ(c.deployments[0].adapter_key, adapter::openaicompatible);
    EXPECT_EQ(c.deployments[0].upstream_model, "gpt-4o");
    EXPECT_EQ(c.deployments[0].api_key, "sk-a-1");
    EXPECT_EQ(c.deployments[0].base_url, "http://127.0.0.1:9001/v1");
    EXPECT_EQ(c.deployments[0].weight, 5U);
    EXPECT_FALSE(c.deployments[0].enabled);
    EXPECT_FALSE(c.deployments[0].stream_usage);
    EXPECT_EQ(c.deployments[0].rpm_limit, 60U);
    EXPECT_EQ(c.deployments[0].tpm_limit, 100'000U);
    EXPECT_EQ(c.deployments[0].failure_domain, "account");
    EXPECT_EQ(c.deployments[0].pricing.input_cents_per_mtokens, 12.5);
    EXPECT_EQ(c.deployments[0].pricing.output_cents_per_mtokens, 100.0);
    EXPECT_EQ(c.deployments[0].pricing.search_unit_cents, 0.0);
    EXPECT_EQ(c.deployments[0].overrides.all, (policy_override{.response = 8ms, .idle = {}, .total = {}}));
    EXPECT_EQ(c.deployments[0].overrides.specific[operation::chat],
              (policy_override{.response = {}, .idle = 9ms, .total = 10ms}));
    EXPECT_EQ(c.deployments[0].overrides.specific[operation::rerank], std::nullopt);
    EXPECT_EQ(c.deployments[1].id, "second");
    EXPECT_EQ(c.deployments[1].adapter_key, adapter::openai);
    EXPECT_EQ(c.deployments[1].api_key, "sk-b");
    EXPECT_EQ(c.deployments[1].base_url, "https://api.openai.com/v1");

    ASSERT_EQ(c.keys.size(), 1U);
    EXPECT_EQ(c.keys[0].name, "demo");
    EXPECT_EQ(c.keys[0].key, "sk-client");

    ASSERT_EQ(c.fallbacks.size(), 2U);
    EXPECT_EQ(c.fallbacks[0].primary_model, "gpt");
    EXPECT_EQ(c.fallbacks[0].reason, routing::fallback_reason::general);
    EXPECT_THAT(c.fallbacks[0].models, ElementsAre("other"));
    EXPECT_EQ(c.fallbacks[1].reason, routing::fallback_reason::context_window);
}

TEST(Load, SuppliesDefaults) {
    RecordProperty("rules", "CFG-NETWORK-004");
    const configuration c = valid(document_with(""));

    EXPECT_EQ(c.server.host, "127.0.0.1");
    EXPECT_EQ(c.server.port, std::nullopt);
    EXPECT_EQ(c.server.workers, std::nullopt);
    EXPECT_EQ(c.server.master_key, "");
    EXPECT_EQ(c.server.request_body_bytes, 75'497'472U);
    EXPECT_EQ(c.server.stream_hold_bytes, 1'048'576U);
    EXPECT_EQ(c.server.client_write_stall, milliseconds{120'000});
    EXPECT_EQ(c.server.shutdown_grace, milliseconds{30'000});
    EXPECT_EQ(c.network.ca_file, "");
    EXPECT_THAT(c.network.dns_servers, IsEmpty());
    EXPECT_EQ(c.network.connect, milliseconds{5'000});
    EXPECT_EQ(c.router.policies.values, default_policies().values);
    EXPECT_EQ(c.router.strategy, routing::strategy::simple_shuffle);
    EXPECT_EQ(c.router.circuits.allowed_fails, 3U);
    EXPECT_EQ(c.router.circuits.cooldown, 5s);
    EXPECT_EQ(c.router.circuits.failure_window, 60s);
    EXPECT_EQ(c.router.circuits.max_cooldown, 300s);
    EXPECT_EQ(c.router.circuits.half_open_probe, 30s);
    EXPECT_EQ(c.router.circuits.configuration_cooldown, 300s);
    EXPECT_EQ(c.router.circuits.throttle_cooldown, 5s);
    EXPECT_EQ(c.router.retry_after, 0s);
    EXPECT_EQ(c.deployments[0].label, "");
    EXPECT_EQ(c.deployments[0].api_key, "");
    EXPECT_EQ(c.deployments[0].weight, 1U);
    EXPECT_TRUE(c.deployments[0].enabled);
    EXPECT_TRUE(c.deployments[0].stream_usage);
    EXPECT_EQ(c.deployments[0].rpm_limit, std::nullopt);
    EXPECT_EQ(c.deployments[0].tpm_limit, std::nullopt);
    EXPECT_EQ(c.deployments[0].failure_domain, "");
    EXPECT_EQ(c.deployments[0].pricing.input_cents_per_mtokens, std::nullopt);
    EXPECT_EQ(c.deployments[0].pricing.output_cents_per_mtokens, std::nullopt);
    EXPECT_EQ(c.deployments[0].pricing.search_unit_cents, std::nullopt);
    EXPECT_EQ(c.deployments[0].overrides.of(operation::chat), nullptr);
    EXPECT_THAT(c.fallbacks, IsEmpty());
    EXPECT_THAT(c.keys, IsEmpty());
}

TEST(Load, KeepsDefaultsBesideAPartialPolicy) {
    RecordProperty("rules", "CFG-POLICY-005");
    const configuration c =
        valid(document_with("routerSettings: {executionPolicies: {chat: {stream: {idleMs: null, maxAttempts: 1}}}}"));

    EXPECT_EQ(c.router.of(operation::chat).stream.idle, std::nullopt);
    EXPECT_EQ(c.router.of(operation::chat).stream.max_attempts, 1U);
    EXPECT_EQ(c.router.of(operation::chat).stream.total, milliseconds{3'600'000});
    EXPECT_EQ(c.router.of(operation::chat).json.max_attempts, 3U);
}

TEST(Load, StreamsEmbeddingsAndRerankingLikeTheirJson) {
    RecordProperty("rules", "CFG-POLICY-006");
    for (const operation o : {operation::embeddings, operation::rerank}) {
        const std::string policies = "routerSettings: {executionPolicies: {" + std::string{to_string(o)};
        const configuration c = valid(
            document_with(policies + ": {stream: {maxAttempts: 5, idleMs: 4}, json: {responseMs: 1, totalMs: 2}}}}"));
        EXPECT_EQ(c.router.of(o).json, (execution_policy{1ms, {}, 2ms, 3}));
        EXPECT_EQ(c.router.of(o).stream, (execution_policy{1ms, 4ms, 2ms, 5}));
    }
}

TEST(Load, ReadsNullAsNoLimitNoDomainAndNoPrice) {
    const configuration c =
        valid(document_with_deployment(", rpmLimit: null, tpmLimit: null, failureDomain: null, pricing: null"));
    EXPECT_EQ(c.deployments[0].rpm_limit, std::nullopt);
    EXPECT_EQ(c.deployments[0].tpm_limit, std::nullopt);
    EXPECT_EQ(c.deployments[0].failure_domain, "");
    EXPECT_EQ(c.deployments[0].pricing.input_cents_per_mtokens, std::nullopt);
}

TEST(Load, WaitsNoLongerThanItMustByDefault) {
    RecordProperty("rules", "CFG-CIRCUIT-004");
    EXPECT_EQ(valid(document_with("")).router.retry_after, 0s);
}

TEST(Load, GivesAChainWithoutAReasonToGeneralFailures) {
    RecordProperty("rules", "CFG-CHAIN-006");
    const configuration c = valid(std::string{full_document});
    ASSERT_EQ(c.fallbacks.size(), 2U);
    EXPECT_EQ(c.fallbacks[0].reason, routing::fallback_reason::general);
}

TEST(Load, KnowsEveryStrategyByName) {
    using routing::strategy;
    const std::pair<std::string, strategy> named[] = {
        {"simple-shuffle", strategy::simple_shuffle},   {"least-busy", strategy::least_busy},
        {"usage-based-rpm", strategy::usage_based_rpm}, {"usage-based-tpm", strategy::usage_based_tpm},
        {"latency-based", strategy::latency_based},     {"throughput-based", strategy::throughput_based},
        {"price-based", strategy::price_based},         {"health-aware", strategy::health_aware},
    };
    for (const auto& [name, value] : named) {
        EXPECT_EQ(valid(document_with("routerSettings: {routingStrategy: " + name + "}")).router.strategy, value)
            << name;
    }
}

TEST(Load, ReadsJsonWithSurrogatePairsAndTabs) {
    const configuration c = valid("{\n\t\"deployments\": [{\n"
                                  "\t\t\"publicModel\": \"\\ud83d\\ude00\\u00e9\", \"label\":\"\\\\ud83d\",\n"
                                  "\t\t\"adapterKey\": \"openai\",\t\"upstreamModel\": \"a\\/b\",\n"
                                  "\t\t\"credentials\": {\"apiKey\": \"k\"}\n\t}]\n}\n");
    ASSERT_EQ(c.deployments.size(), 1U);
    EXPECT_EQ(c.deployments[0].public_model, "\xF0\x9F\x98\x80\xC3\xA9");
    EXPECT_EQ(c.deployments[0].label, "\\ud83d");
    EXPECT_EQ(c.deployments[0].upstream_model, "a/b");
}

TEST(Load, FollowsAliases) {
    const configuration c = valid("deployments:\n"
                                  "  - &first "
                                  + deployment_with("")
                                  + "\n"
                                    "  - *first\n");
    ASSERT_EQ(c.deployments.size(), 2U);
    EXPECT_EQ(c.deployments[1].base_url, "http://h");
}

std::vector<std::string> ids(std::string_view text) {
    std::vector<std::string> found;
    for (const deployment& d : valid(text).deployments) {
        found.push_back(d.id);
    }
    return found;
}

std::string list(const std::vector<std::string>& members) {
    std::string text = "deployments:\n";
    for (const std::string& more : members) {
        text += "  - " + deployment_with(more) + "\n";
    }
    return text;
}

TEST(DeploymentId, IsTheGivenOneThenAUniqueLabelThenModelAndIndex) {
    EXPECT_THAT(ids(list({", id: one, label: x", ", label: x2", ""})), ElementsAre("one", "x2", "gpt#2"));
}

TEST(DeploymentId, DoesNotUseALabelThatAnotherDeploymentClaims) {
    const std::string other_pool = "{publicModel: other, adapterKey: openai, upstreamModel: up, label: x, "
                                   "credentials: {apiKey: k}}";
    EXPECT_THAT(ids(list({", label: x"}) + "  - " + other_pool), ElementsAre("gpt#0", "other#1"));
    EXPECT_THAT(ids(list({", label: x", ", id: x, label: y"})), ElementsAre("gpt#0", "x"));
}

TEST(DeploymentId, MustBeUnique) {
    EXPECT_THAT(problems_of(list({", id: a", ", id: b", ", id: a"})),
                ElementsAre("deployments[2].id: must be unique; deployments[0] has it too"));
    EXPECT_THAT(problems_of(list({", label: 'gpt#1'", ""})),
                ElementsAre("deployments[1].id: must be unique; deployments[0] has it too"));
}

TEST(Load, ListsEveryProblemInTheOrderOfTheDocument) {
    EXPECT_THAT(problems_of("server: {port: 70000, colour: red}\n"
                            "deployments:\n"
                            "  - {publicModel: gpt, adapterKey: openai, weight: -1}\n"
                            "  - {publicModel: gpt, adapterKey: openaicompatible, upstreamModel: up,\n"
                            "     credentials: {baseUrl: 'ftp://h'}}\n"
                            "keys: [{name: a}]\n"),
                ElementsAre("server.port: must be an integer from 0 to 65535",
                            "server.colour: unknown field; known here are host, port, workers, masterKey, "
                            "requestBodyBytes, requestMemoryBytes, maxConnections, streamHoldBytes, "
                            "clientWriteStallMs, shutdownGraceMs, tls",
                            "deployments[0].weight: must be an integer from 0 to 4294967295",
                            "deployments[0].upstreamModel: is required",
                            "deployments[0].credentials: is required, with apiKey",
                            "deployments[1].credentials.baseUrl: must be an absolute http or https URL",
                            "keys[0].key: is required"));
}

TEST(Load, ShowsNoSecretInAnyProblem) {
    const std::string secret = "s3cr3t-V4lue";
    for (const std::string& document : {
             document_with("server: {masterKey: '" + secret + "\\x'\n"),
             document_with("server: {masterKey: '" + secret + " x'}"),
             document_with("server: {masterKey: *" + secret + "}"),
             document_with("server: {" + secret + "}"),
             document_with("server: {" + secret + ": 1}"),
             document_with(secret),
             document_with("keys: [{name: a, key: '" + secret + "'}, {name: b, key: '" + secret + "'}]"),
             document_with("keys: [" + secret + "]"),
             document_with("server: {masterKey: \"" + secret + "\\q\"}"),
             document_with("server: {masterKey: '${" + secret + "}'}"),
             document_with_deployment(", credentials: " + secret),
             document_with_deployment(", credentials: {" + secret + "}"),
             document_with_deployment(", adapterKey: " + secret),
             "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {apiKey: k, "
             "baseUrl: 'http://user:"
                 + secret + "@h'}}]",
             "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {apiKey: k, "
             "baseUrl: 'http://h?key="
                 + secret + "'}}]",
         }) {
        const auto lines = problems_of(document);
        EXPECT_THAT(lines, testing::Not(IsEmpty())) << document;
        EXPECT_THAT(lines, testing::Each(testing::Not(testing::HasSubstr(secret)))) << document;
    }
}

} // namespace
} // namespace turnout::config
