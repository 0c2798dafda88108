#include <string>

#include <gmock/gmock.h>

#include "config/adapter.hpp"
#include "config/documents.hpp"

namespace turnout::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

TEST(OperationTarget, StandsBelowTheBaseUrlAsTheAdapterHasIt) {
    const struct {
        adapter who;
        const char* version;
        const char* base_path;
        const char* target;
    } rows[] = {
        {adapter::openai, "", "/v1", "/v1/x"},
        {adapter::openaicompatible, "", "", "/x"},
        {adapter::openaicompatible, "", "/a/b", "/a/b/x"},
        {adapter::anthropic, "2023-06-01", "", "/v1/x"},
        {adapter::anthropic, "2023-06-01", "/proxy", "/proxy/v1/x"},
        {adapter::azureopenai, "", "", "/openai/v1/x"},
        {adapter::azureopenai, "2024-10-21", "", "/openai/deployments/my%20gpt-4.1/x?api-version=2024-10-21"},
        {adapter::azureopenai, "a&b", "/r", "/r/openai/deployments/my%20gpt-4.1/x?api-version=a%26b"},
        {adapter::openrouter, "", "/api/v1", "/api/v1/x"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(operation_target(row.who, row.version, "my gpt-4.1", row.base_path, "/x"), row.target)
            << to_string(row.who);
}

TEST(OperationTarget, EncodesWhatWouldEndASegment) {
    EXPECT_EQ(operation_target(adapter::azureopenai, "v", "a/b?c%d\xC3\xA9~_", "", "/x"),
              "/openai/deployments/a%2Fb%3Fc%25d%C3%A9~_/x?api-version=v");
}

TEST(PossibleTransports, AreAllButThoseThatAPathOfDeploymentsLacks) {
    for (const auto who : adapters) {
        const auto possible = possible_transports(who, "v");
        EXPECT_TRUE(possible.has(transport::chat));
        EXPECT_EQ(possible.has(transport::responses), who != adapter::azureopenai) << to_string(who);
        EXPECT_TRUE(possible_transports(who, "").has(transport::responses));
    }
}

configuration loaded(const std::string& deployment) {
    auto result = load_text("deployments: [" + deployment + "]");
    EXPECT_TRUE(std::holds_alternative<configuration>(result))
        << testing::PrintToString(problems_of("deployments: [" + deployment + "]"));
    return std::holds_alternative<configuration>(result) ? std::get<configuration>(result) : configuration{};
}

/// The only deployment, of this adapter.
deployment with_adapter(const std::string& adapter_key, const std::string& credentials, const std::string& more = {}) {
    const auto c = loaded("{publicModel: m, upstreamModel: u, adapterKey: " + adapter_key + ", credentials: {"
                          + credentials + "}" + more + "}");
    return c.deployments.empty() ? deployment{} : c.deployments.front();
}

TEST(Adapters, KnowWhereTheirProvidersAre) {
    RecordProperty("rules", "CFG-DEPLOY-005 CFG-ADAPTER-001");
    EXPECT_EQ(with_adapter("openai", "apiKey: k").base_url, "https://api.openai.com/v1");
    EXPECT_EQ(with_adapter("anthropic", "apiKey: k").base_url, "https://api.anthropic.com");
    EXPECT_EQ(with_adapter("openrouter", "apiKey: k").base_url, "https://openrouter.ai/api/v1");
    for (const auto* name : {"openai", "anthropic", "openrouter", "azureopenai"})
        EXPECT_EQ(with_adapter(name, "apiKey: k, baseUrl: 'http://h/p'").base_url, "http://h/p") << name;
}

TEST(Adapters, AppendNothingTwice) {
    RecordProperty("rules", "CFG-URL-001");
    const struct {
        const char* who;
        const char* given;
        const char* taken;
    } rows[] = {
        {"anthropic", "https://api.anthropic.com/v1/", "https://api.anthropic.com"},
        {"anthropic", "http://h/proxy/v1", "http://h/proxy"},
        {"anthropic", "http://h/av1", "http://h/av1"},
        {"anthropic", "http://v1", "http://v1"},
        {"azureopenai", "http://h/openai/v1", "http://h"},
        {"azureopenai", "http://h/openai", "http://h"},
        {"azureopenai", "http://openai", "http://openai"},
        {"openai", "http://h/v1", "http://h/v1"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(with_adapter(row.who, "apiKey: k, baseUrl: '" + std::string(row.given) + "'").base_url, row.taken);
}

TEST(Adapters, RefuseTheAddressOfAnOperation) {
    RecordProperty("rules", "CFG-URL-002");
    for (const char* operation : {"/chat/completions", "/responses", "/messages", "/messages/count_tokens"}) {
        const auto found = problems_of(
            "deployments: [{publicModel: m, upstreamModel: u, adapterKey: openai, credentials: {apiKey: k, baseUrl: "
            "'http://h/v1"
            + std::string(operation) + "'}}]");
        EXPECT_THAT(found, ElementsAre("deployments[0].credentials.baseUrl: must end before " + std::string(operation)
                                       + ", which the gateway appends"));
    }
    EXPECT_EQ(operation_at_end("http://messages"), "");
}

TEST(Adapters, HaveTheirTransports) {
    using set = transport_set;
    const set openai_set{transport::chat, transport::responses};
    EXPECT_EQ(with_adapter("openai", "apiKey: k").transports, openai_set);
    EXPECT_EQ(with_adapter("openaicompatible", "baseUrl: 'http://h'").transports, set{transport::chat});
    EXPECT_EQ(with_adapter("anthropic", "apiKey: k").transports, set{transport::messages});
    EXPECT_EQ(with_adapter("azureopenai", "apiKey: k, baseUrl: 'http://h'").transports, openai_set);
    EXPECT_EQ(with_adapter("azureopenai", "apiKey: k, baseUrl: 'http://h', version: v").transports,
              set{transport::chat});
    EXPECT_EQ(with_adapter("openrouter", "apiKey: k").transports,
              (set{transport::chat, transport::responses, transport::messages}));
}

TEST(Adapters, HaveTheTransportsThatAreChosenForThem) {
    const auto chosen = [](const std::string& value) {
        return with_adapter("openaicompatible", "baseUrl: 'http://h'",
                            ", transportOverrides: {text.generate: " + value + "}")
            .transports;
    };
    EXPECT_EQ(chosen("messages"), transport_set{transport::messages});
    EXPECT_EQ(chosen("[responses, chat]"), (transport_set{transport::chat, transport::responses}));
}

TEST(Adapters, TakeWebSocketsAtOpenAIsOwnAddress) {
    RecordProperty("rules", "WS-UP-001 CFG-SOCKET-001");
    const auto openai = [](const std::string& credentials, const std::string& more = {}) {
        return with_adapter("openai", "apiKey: k" + credentials, more).web_socket;
    };
    EXPECT_TRUE(openai(""));
    EXPECT_TRUE(openai(", baseUrl: 'https://api.openai.com/v1/'"));
    EXPECT_FALSE(openai(", baseUrl: 'https://eu.api.openai.com/v1'"));
    EXPECT_FALSE(openai(", baseUrl: 'http://127.0.0.1:1/v1'"));
    EXPECT_TRUE(openai(", baseUrl: 'http://127.0.0.1:1/v1'", ", webSocket: true"));
    EXPECT_FALSE(openai("", ", webSocket: false"));
    EXPECT_FALSE(openai("", ", transportOverrides: {text.generate: chat}"));
    EXPECT_FALSE(openai("", ", transportOverrides: {text.generate: chat}, webSocket: false"));
    EXPECT_FALSE(with_adapter("azureopenai", "apiKey: k, baseUrl: 'http://h'").web_socket);
    EXPECT_FALSE(with_adapter("openrouter", "apiKey: k").web_socket);
    EXPECT_TRUE(with_adapter("openrouter", "apiKey: k", ", webSocket: true").web_socket);
}

TEST(Adapters, HaveAVersionWhereItMeansSomething) {
    EXPECT_EQ(with_adapter("anthropic", "apiKey: k").version, "2023-06-01");
    EXPECT_EQ(with_adapter("anthropic", "apiKey: k, version: 2026-10-21").version, "2026-10-21");
    EXPECT_EQ(with_adapter("azureopenai", "apiKey: k, baseUrl: 'http://h'").version, "");
}

TEST(Adapters, TakeExtraHeadersInLowerCase) {
    const auto d = with_adapter("openaicompatible", "baseUrl: 'http://h', headers: {X-Org: 'a b', x-Key2: '${A_KEY}'}");
    EXPECT_THAT(d.headers,
                ElementsAre(AllOf(Field(&extra_header::name, "x-org"), Field(&extra_header::value, "a b")),
                            AllOf(Field(&extra_header::name, "x-key2"), Field(&extra_header::value, "sk-a-1"))));
}

} // namespace
} // namespace turnout::config
