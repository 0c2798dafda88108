#include <chrono>

#include <gtest/gtest.h>

#include "gateway/journal_entry.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;

config::deployment of_model(const std::string& id, const std::string& model) {
    config::deployment d;
    d.id = id;
    d.label = "label of " + id;
    d.public_model = model;
    d.upstream_model = "up";
    d.base_url = "http://h";
    return d;
}

/// A request for `gpt`, whose fallback is `spare`, that ended at 10,000 ms of the wall and 1 s of the steady line.
class journal_entry : public testing::Test {
protected:
    routing::attempt_record& failed(routing::position target, routing::failure_class failure, int http_status) {
        auto& a = attempts.emplace_back();
        a.target = target;
        a.failure = failure;
        a.report.status = http_status;
        a.report.message = "secret message";
        a.ended = a.started + 12ms;
        return a;
    }
    routing::attempt_record& ok(routing::position target) {
        auto& a = attempts.emplace_back();
        a.target = target;
        a.ok = true;
        a.ended = a.started + 30ms;
        return a;
    }
    journal::request_entry entry() const {
        journal::request_entry e;
        write_entry(e,
                    {.request_id = "req_1",
                     .stream = true,
                     .status = status,
                     .took = 42ms + 999us,
                     .deployments = table,
                     .model = model,
                     .strategy = routing::strategy::least_busy,
                     .attempts = attempts,
                     .anomalies = anomalies,
                     .error_code = code},
                    facts);
        return e;
    }
    static config::configuration settings() {
        config::configuration c;
        c.deployments = {of_model("x", "gpt"), of_model("y", "spare")};
        return c;
    }

    const deployment_table table{settings()};
    const model_routes model{.name = "gpt",
                             .routes = {.deployments = {{}, {}}, .pools = {{0, 1}, {1, 2}}, .chains = {{{1}, {}, {}}}},
                             .refs = {{.key = 0}, {.key = 1}},
                             .pool_names = {"gpt", "spare"}};
    std::vector<routing::attempt_record> attempts;
    std::vector<std::string_view> anomalies;
    std::string_view code;
    int status = 200;
    journal_facts facts{
        .call_type = "chat", .key_name = "demo", .chain = {}, .usage = {}, .now = base::instant(1s), .wall = {10'000}};
};

TEST_F(journal_entry, tells_of_a_served_request) {
    ok(0);
    facts.usage = codec::token_usage{3, 4, 7};
    const auto e = entry();
    EXPECT_EQ(e.request_id, "req_1");
    EXPECT_EQ(e.public_model, "gpt");
    EXPECT_EQ(e.served_model, "gpt");
    EXPECT_EQ(e.call_type, "chat");
    EXPECT_EQ(e.outcome, "success");
    EXPECT_EQ(e.error_code, "");
    EXPECT_EQ(e.strategy, "least-busy");
    EXPECT_EQ(e.key_name, "demo");
    EXPECT_EQ(e.prompt_tokens, 3U);
    EXPECT_EQ(e.completion_tokens, 4U);
    EXPECT_EQ(e.total_tokens, 7U);
    EXPECT_EQ(e.took, 42ms);
    EXPECT_EQ(e.started.value, 9'958);
    EXPECT_EQ(e.status, 200);
    EXPECT_TRUE(e.stream);
    EXPECT_FALSE(e.degraded || e.fallback_used);
    ASSERT_EQ(e.attempts.size(), 1U);
    EXPECT_EQ(e.attempts[0].deployment, table.at(0).public_id);
    EXPECT_EQ(e.attempts[0].label, "label of x");
    EXPECT_EQ(e.attempts[0].adapter, "openaicompatible");
    EXPECT_EQ(e.attempts[0].public_model, "gpt");
    EXPECT_EQ(e.attempts[0].failure, "");
    EXPECT_EQ(e.attempts[0].status, 0);
    EXPECT_EQ(e.attempts[0].latency, 30ms);
    EXPECT_EQ(e.attempts[0].circuit, "");
}

TEST_F(journal_entry, does_not_trust_a_count_below_zero) {
    ok(0);
    facts.usage = codec::token_usage{-1, 4, -7};
    EXPECT_EQ(entry().prompt_tokens, std::nullopt);
    EXPECT_EQ(entry().completion_tokens, 4U);
    EXPECT_EQ(entry().total_tokens, std::nullopt);
}

TEST_F(journal_entry, tells_of_failures) {
    failed(0, routing::failure_class::request, 400).waited = 5ms;
    code = "bad_value";
    status = 400;
    facts.usage = codec::token_usage{3, 4, 7};
    const auto e = entry();
    EXPECT_EQ(e.outcome, "error");
    EXPECT_EQ(e.error_code, "bad_value");
    EXPECT_EQ(e.served_model, "");
    EXPECT_EQ(e.total_tokens, std::nullopt);
    EXPECT_EQ(e.attempts[0].failure, "request");
    EXPECT_EQ(e.attempts[0].status, 400);
    EXPECT_EQ(e.attempts[0].waited, 5ms);
}

TEST_F(journal_entry, tells_of_clients_that_left_and_of_requests_that_reached_nobody) {
    status = 499;
    EXPECT_EQ(entry().outcome, "error") << "an upstream may answer 499 too";
    facts.client_left = true;
    EXPECT_EQ(entry().outcome, "cancelled");
    facts.client_left = false;
    status = 503;
    EXPECT_EQ(entry().outcome, "error");
    EXPECT_TRUE(entry().attempts.empty());
    EXPECT_FALSE(entry().degraded);
}

TEST_F(journal_entry, tells_of_fallbacks) {
    failed(0, routing::failure_class::context_window, 400);
    ok(1);
    facts.chain = routing::fallback_reason::context_window;
    const auto e = entry();
    EXPECT_TRUE(e.fallback_used && e.degraded);
    EXPECT_EQ(e.fallback_reason, "context_window");
    EXPECT_EQ(e.served_model, "spare");
    EXPECT_EQ(e.attempts[1].public_model, "spare");
}

TEST_F(journal_entry, names_no_fallback_that_was_chosen_and_not_asked) {
    failed(0, routing::failure_class::transient, 500);
    facts.chain = routing::fallback_reason::general;
    EXPECT_FALSE(entry().fallback_used || entry().degraded);
    EXPECT_EQ(entry().fallback_reason, "");
}

TEST_F(journal_entry, tells_what_became_of_circuits_on_the_wall) {
    using routing::circuit_cause;
    using routing::circuit_change;
    auto& a = failed(0, routing::failure_class::configuration, 401);
    a.effect = {circuit_change::opened, circuit_cause::configuration, false, base::instant(301s)};
    EXPECT_EQ(entry().attempts[0].circuit, "opened");
    EXPECT_EQ(entry().attempts[0].cause, "configuration");
    EXPECT_EQ(entry().attempts[0].circuit_until->value, 310'000);
    EXPECT_FALSE(entry().attempts[0].capacity_until);
    a.effect.change = circuit_change::counted;
    EXPECT_EQ(entry().attempts[0].circuit, "counted");
    EXPECT_EQ(entry().attempts[0].cause, "");
    EXPECT_FALSE(entry().attempts[0].circuit_until);
    a.effect = {circuit_change::closed, circuit_cause::transient, true, base::instant(6s)};
    EXPECT_EQ(entry().attempts[0].circuit, "closed");
    EXPECT_EQ(entry().attempts[0].capacity_until->value, 15'000);
}

// The state says so at the commit, and nothing more at the end.
TEST_F(journal_entry, tells_that_a_streamed_probe_closed_its_circuit) {
    auto& a = ok(0);
    a.probe = true;
    EXPECT_EQ(entry().attempts[0].circuit, "");
    a.committed = true;
    EXPECT_EQ(entry().attempts[0].circuit, "closed");
}

TEST_F(journal_entry, puts_anomalies_on_the_attempt_that_served) {
    failed(0, routing::failure_class::transient, 500);
    ok(1);
    anomalies = {"missing_done", "unclean_close"};
    EXPECT_EQ(entry().attempts[0].anomalies, "");
    EXPECT_EQ(entry().attempts[1].anomalies, "missing_done,unclean_close");
}

} // namespace
} // namespace turnout::gateway
