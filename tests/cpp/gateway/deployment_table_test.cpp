#include <stdexcept>

#include <gmock/gmock.h>

#include "gateway/deployment_table.hpp"
#include "gateway/upstream_head.hpp"

namespace turnout::gateway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

config::deployment at_url(std::string url) {
    config::deployment d;
    d.id = "id";
    d.public_model = "gpt";
    d.upstream_model = "up";
    d.base_url = std::move(url);
    return d;
}

config::configuration with(std::vector<config::deployment> deployments) {
    config::configuration c;
    c.deployments = std::move(deployments);
    return c;
}

deployment made_of(const config::deployment& d) { return deployment_table(with({d})).at(0); }

TEST(deployment_table, finds_host_port_and_path_of_a_base_url) {
    const struct {
        const char* url;
        net::endpoint where;
        const char* target;
        const char* host;
    } cases[] = {
        {"http://127.0.0.1:9001/v1", {"127.0.0.1", 9001, false}, "/v1", "127.0.0.1:9001"},
        {"http://example.org", {"example.org", 80, false}, "", "example.org"},
        {"https://api.openai.com/v1", {"api.openai.com", 443, true}, "/v1", "api.openai.com"},
        {"https://example.org:8443/a/b%20c", {"example.org", 8443, true}, "/a/b%20c", "example.org:8443"},
        {"http://[::1]/v1", {"::1", 80, false}, "/v1", "[::1]"},
        {"https://[2001:db8::7]:65535", {"2001:db8::7", 65535, true}, "", "[2001:db8::7]:65535"},
        {"http://localhost:1/x:9/y", {"localhost", 1, false}, "/x:9/y", "localhost:1"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.url);
        const auto d = made_of(at_url(c.url));
        EXPECT_EQ(d.where.host, c.where.host);
        EXPECT_EQ(d.where.port, c.where.port);
        EXPECT_EQ(d.where.tls, c.where.tls);
        EXPECT_THAT(
            d.heads[contract_kind::chat],
            StartsWith(std::string("POST ") + c.target + "/chat/completions HTTP/1.1\r\nhost: " + c.host + "\r\n"));
    }
}

TEST(deployment_table, refuses_urls_that_validation_should_have) {
    for (const auto* url : {"example.org", "http://h:/v1", "http://h:65536", "http://h:80x", "http://[::1]:/"})
        EXPECT_THROW(made_of(at_url(url)), std::invalid_argument) << url;
}

TEST(deployment_table, sends_a_key_only_where_there_is_one) {
    auto d = at_url("http://h");
    EXPECT_THAT(made_of(d).heads[contract_kind::chat], Not(HasSubstr("authorization")));
    d.api_key = "sk-1";
    EXPECT_THAT(made_of(d).heads[contract_kind::chat], HasSubstr("authorization: Bearer sk-1\r\n"));
}

TEST(deployment_table, sends_the_key_where_the_adapter_has_it) {
    auto d = at_url("http://h");
    d.api_key = "sk-1";
    d.adapter_key = config::adapter::azureopenai;
    EXPECT_THAT(made_of(d).heads[contract_kind::chat], HasSubstr("\r\napi-key: sk-1\r\n"));
    d.adapter_key = config::adapter::anthropic;
    EXPECT_THAT(made_of(d).heads[contract_kind::chat], HasSubstr("\r\nx-api-key: sk-1\r\n"));
}

TEST(deployment_table, has_heads_for_the_contracts_that_its_transports_carry) {
    auto d = at_url("http://h");
    d.transports = {config::transport::messages};
    d.headers = {{.name = "x-a", .value = "b c"}};
    const auto heads = made_of(d).heads;
    EXPECT_EQ(heads[contract_kind::chat], "");
    EXPECT_EQ(heads[contract_kind::responses], "");
    EXPECT_THAT(heads[contract_kind::messages], StartsWith("POST /messages HTTP/1.1\r\n"));
    EXPECT_THAT(heads[contract_kind::count_tokens], StartsWith("POST /messages/count_tokens HTTP/1.1\r\n"));
    EXPECT_THAT(heads[contract_kind::messages], HasSubstr("\r\nx-a: b c\r\n"));
}

TEST(deployment_table, leaves_the_request_line_of_stored_responses_open) {
    RecordProperty("rules", "RSP-STORED-001");
    auto d = at_url("http://h/base");
    d.transports = {config::transport::responses};
    const auto made = made_of(d);
    EXPECT_THAT(made.heads[contract_kind::stored_response], StartsWith("host: h\r\n"));
    const stored_call call{.method = "GET", .id = "resp_x", .below = "/input_items", .query = "limit=2"};
    EXPECT_EQ(stored_request_line(made.settings, made.base_path, call, "a/b ?"),
              "GET /base/responses/a%2Fb%20%3F/input_items?limit=2 HTTP/1.1\r\n");
    EXPECT_EQ(stored_request_line(made.settings, made.base_path, {"DELETE", "resp_x", "", ""}, "r"),
              "DELETE /base/responses/r HTTP/1.1\r\n");
}

TEST(deployment_table, shows_ids_that_tell_nothing) {
    EXPECT_EQ(public_id("abc"), "dep_ba7816bf8f01");
    EXPECT_EQ(made_of(at_url("http://h")).public_id, public_id("id"));
    EXPECT_NE(public_id("a"), public_id("b"));
}

std::vector<state::deployment_key> keys_of(const public_model* m) {
    std::vector<state::deployment_key> keys;
    for (const auto& ref : m->pool) keys.push_back(ref.key);
    return keys;
}

TEST(deployment_table, gathers_enabled_deployments_by_public_model) {
    std::vector<config::deployment> all(4, at_url("http://h"));
    all[1].public_model = "other";
    all[2].enabled = false;
    const deployment_table table(with(all));
    ASSERT_NE(table.find("gpt"), nullptr);
    EXPECT_THAT(keys_of(table.find("gpt")), ElementsAre(0, 3));
    EXPECT_THAT(keys_of(table.find("other")), ElementsAre(1));
    EXPECT_EQ(table.find("nothing"), nullptr);
    EXPECT_EQ(table.all().size(), 4U);
    EXPECT_THAT(table.models(), ElementsAre(testing::Key("gpt"), testing::Key("other")));
}

TEST(deployment_table, has_no_pool_of_disabled_deployments) {
    auto d = at_url("http://h");
    d.enabled = false;
    const deployment_table table(with({d}));
    EXPECT_EQ(table.find("gpt"), nullptr);
    EXPECT_TRUE(table.models().empty());
}

TEST(deployment_table, tightens_policies_by_overrides) {
    using namespace std::chrono_literals;
    auto d = at_url("http://h");
    d.overrides.all = {.response = 10s, .idle = 5s, .total = 20s};
    const auto made = made_of(d);
    EXPECT_EQ(made.chat.json.response, 10s);
    EXPECT_EQ(made.chat.json.idle, std::nullopt);
    EXPECT_EQ(made.chat.stream.idle, 5s);
    EXPECT_EQ(made.chat.json.total, 1800s) << "that of the logical request";
}

} // namespace
} // namespace turnout::gateway
