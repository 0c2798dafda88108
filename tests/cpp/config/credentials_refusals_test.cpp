#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "documents.hpp"

namespace turnout::config {
namespace {

class CredentialRefusals : public testing::TestWithParam<refusal> {};

TEST_P(CredentialRefusals, AreListedWithTheirPaths) {
    EXPECT_THAT(problems_of(GetParam().document), testing::ElementsAreArray(GetParam().lines)) << GetParam().document;
}

std::string of_adapter(std::string_view name, std::string_view credentials, std::string_view more = {}) {
    return "deployments: [{publicModel: m, upstreamModel: u, adapterKey: " + std::string(name) + ", credentials: {"
           + std::string(credentials) + "}" + std::string(more) + "}]";
}

std::string headers(std::string_view members) {
    return of_adapter("openaicompatible", "baseUrl: 'http://h', headers: " + std::string(members));
}

std::string overrides(std::string_view value, std::string_view adapter_key = "openai",
                      std::string_view credentials = "apiKey: k") {
    return of_adapter(adapter_key, credentials, ", transportOverrides: " + std::string(value));
}

const std::string path = "deployments[0].credentials";
const std::string header_path = path + ".headers";
const std::string transports_path = "deployments[0].transportOverrides";
const std::string operation_path = transports_path + "[\"text.generate\"]";
const std::string sendable = "must consist of visible ASCII characters, with blanks only between them";

INSTANTIATE_TEST_SUITE_P(
    Adapter, CredentialRefusals,
    testing::Values(refusal{"anthropic without key",
                            of_adapter("anthropic", ""),
                            {path + ".apiKey: is required with adapterKey anthropic"}},
                    refusal{"openrouter without key",
                            of_adapter("openrouter", ""),
                            {path + ".apiKey: is required with adapterKey openrouter"}},
                    refusal{"azureopenai without both",
                            of_adapter("azureopenai", ""),
                            {path + ".apiKey: is required with adapterKey azureopenai",
                             path + ".baseUrl: is required with adapterKey azureopenai"}},
                    refusal{"azureopenai without credentials",
                            "deployments: [{publicModel: m, upstreamModel: u, adapterKey: azureopenai}]",
                            {path + ": is required, with apiKey and baseUrl"}},
                    refusal{"version for openai",
                            of_adapter("openai", "apiKey: k, version: v"),
                            {path + ".version: has no meaning with adapterKey openai"}},
                    refusal{"version with a blank",
                            of_adapter("anthropic", "apiKey: k, version: 'a b'"),
                            {path + ".version: must consist of visible ASCII characters"}},
                    refusal{"headers for anthropic",
                            of_adapter("anthropic", "apiKey: k, headers: {x-a: b}"),
                            {path + ".headers: has no meaning with adapterKey anthropic"}}));

INSTANTIATE_TEST_SUITE_P(
    Headers, CredentialRefusals,
    testing::Values(refusal{"fine", headers("{X-Title: my app, api-key: abc}"), {}},
                    refusal{"list", headers("[x]"), {header_path + ": must be a map"}},
                    refusal{"managed",
                            headers("{Authorization: abc}"),
                            {header_path + ".authorization: is a header that the gateway sets"}},
                    refusal{"managed length",
                            headers("{content-length: '3'}"),
                            {header_path + ".content-length: is a header that the gateway sets"}},
                    refusal{"twice", headers("{x-a: b, X-A: c}"), {header_path + ".x-a: must be given only once"}},
                    refusal{"no name", headers("{'x a': secret}"), {header_path + ": must have names of HTTP headers"}},
                    refusal{"line break in name",
                            headers("{\"x\\r\\ny\": secret}"),
                            {header_path + ": must have names of HTTP headers"}},
                    refusal{"number", headers("{x-a: 1}"), {header_path + ".x-a: must be a string; put it in quotes"}},
                    refusal{"empty", headers("{x-a: ''}"), {header_path + ".x-a: must not be empty"}},
                    refusal{"line break",
                            headers("{x-a: \"a\\r\\nb: c\"}"),
                            {header_path + ".x-a: must not contain control characters"}},
                    refusal{"blank at the end", headers("{x-a: 'a '}"), {header_path + ".x-a: " + sendable}},
                    refusal{"accent", headers("{x-a: caf\xC3\xA9}"), {header_path + ".x-a: " + sendable}},
                    refusal{"name that may be a secret",
                            headers("{x-a: b, sk-12345: 3}"),
                            {header_path + "[1]: must be a string; put it in quotes"}}));

INSTANTIATE_TEST_SUITE_P(
    Transports, CredentialRefusals,
    testing::Values(
        refusal{"one", overrides("{text.generate: messages}"), {}},
        refusal{"several", overrides("{text.generate: [messages, chat]}"), {}},
        refusal{"no map", overrides("[chat]"), {transports_path + ": must be a map"}},
        refusal{"nothing", overrides("{}"), {operation_path + ": is required"}},
        refusal{"none", overrides("{text.generate: []}"), {operation_path + ": must name at least one transport"}},
        refusal{"unknown",
                overrides("{text.generate: [chat, grpc]}"),
                {operation_path + "[1]: must be one of: chat, responses, messages"}},
        refusal{"twice", overrides("{text.generate: [chat, chat]}"), {operation_path + "[1]: must be given only once"}},
        refusal{"null",
                overrides("{text.generate: null}"),
                {operation_path + ": must be one of: chat, responses, messages"}},
        refusal{"other operation",
                overrides("{image.generate: chat, text.generate: chat}"),
                {transports_path + "[\"image.generate\"]: unknown field; known here is text.generate"}},
        refusal{"azure with a version",
                overrides("{text.generate: [chat, responses]}", "azureopenai",
                          "apiKey: k, baseUrl: 'http://h', version: v"),
                {transports_path + ": adapterKey azureopenai with credentials.version has no transport responses"}}));

} // namespace
} // namespace turnout::config
