#include <stdexcept>
#include <string>
#include <variant>

#include <gmock/gmock.h>

#include "config/load.hpp"
#include "gateway/simulation.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;
using testing::SizeIs;

config::configuration load(const std::string& deployments, const std::string& rest = "") {
    auto loaded = config::load("deployments: [" + deployments + "]\n" + rest,
                               [](const std::string&) { return std::optional<std::string>{}; });
    return std::get<config::configuration>(std::move(loaded));
}

std::string deployment(const std::string& id, const std::string& more = "", const std::string& model = "gpt") {
    return "{id: " + id + ", publicModel: " + model
           + ", adapterKey: openaicompatible, upstreamModel: m, credentials: {baseUrl: "
             "'http://127.0.0.1:9/v1'}"
           + more + "}";
}

base::failure_report answered(int status) { return {.origin = failure_origin::upstream_answer, .status = status}; }

const state::deployment_ref& only(const simulation& s) { return s.models().at("gpt").pool.front(); }

template <class Decision>
const Decision& decided(const simulated_request& request, std::size_t index) {
    return std::get<Decision>(request.decisions().at(index).what);
}

TEST(simulation, decides_until_an_attempt_must_be_made) {
    simulation s(load(deployment("a")), 1, {5'000});
    EXPECT_EQ(s.begin("other", false), nullptr);
    const auto request = s.begin("gpt", false);
    EXPECT_EQ(request->state(), simulated_state::attempt);
    EXPECT_EQ(request->target(), 0U);
    EXPECT_EQ(request->until(), std::nullopt);
    EXPECT_THAT(decided<asked_decision>(*request, 0).candidates, ElementsAre(0U));
    EXPECT_EQ(s.snapshot(only(s)).in_flight, 1U);
    request->succeed({.total_tokens = 7});
    EXPECT_EQ(request->state(), simulated_state::finished);
    EXPECT_EQ(request->fsm().outcome().verdict, routing::route_verdict::served);
    EXPECT_EQ(s.snapshot(only(s)).in_flight, 0U);
    EXPECT_EQ(s.snapshot(only(s)).tpm, 7U);
    EXPECT_EQ(s.wall().value, 5'000);
}

TEST(simulation, waits_on_a_clock_that_ticks_in_milliseconds) {
    simulation s(load(deployment("a")), 1, {0});
    const auto request = s.begin("gpt", false);
    request->fail(answered(500));
    ASSERT_EQ(request->state(), simulated_state::waiting);
    const auto until = *request->until();
    EXPECT_EQ(until.time_since_epoch() % 1ms, 0ns);
    EXPECT_THAT(until.time_since_epoch(), testing::AllOf(Ge(500ms), Le(625ms)));
    s.advance(std::chrono::duration_cast<base::milliseconds>(until - s.now()) - 1ms);
    EXPECT_EQ(request->state(), simulated_state::waiting);
    s.advance(1ms);
    EXPECT_EQ(request->state(), simulated_state::attempt);
    EXPECT_EQ(s.now(), until);
}

TEST(simulation, keeps_a_probe_while_its_attempt_runs_and_not_when_its_process_died) {
    RecordProperty("rules", "PY-ENGINE-007");
    simulation s(load(deployment("a"), "routerSettings: {allowedFails: 0, halfOpenProbeSeconds: 30}"), 1, {0});
    s.begin("gpt", false)->fail(answered(401));
    s.advance(300s);
    const auto request = s.begin("gpt", false);
    s.advance(35s); // renewed after 10, 20 and 30 s
    EXPECT_EQ(s.snapshot(only(s)).circuit_until, s.now() + 25s);
    request->abandon();
    EXPECT_EQ(request->state(), simulated_state::abandoned);
    s.advance(25s - 1ms);
    EXPECT_EQ(s.snapshot(only(s)).entry.why, routing::obstacle::probe);
    s.advance(1ms);
    EXPECT_TRUE(s.snapshot(only(s)).entry.open());
    EXPECT_EQ(s.snapshot(only(s)).in_flight, 1U);
    s.advance(30s);
    EXPECT_EQ(s.snapshot(only(s)).in_flight, 0U);
    EXPECT_THROW(request->leave(), std::logic_error);
}

TEST(simulation, closes_the_circuit_when_a_streams_probe_commits) {
    simulation s(load(deployment("a"), "routerSettings: {allowedFails: 0}"), 1, {0});
    s.begin("gpt", false)->fail(answered(401));
    s.advance(300s);
    const auto request = s.begin("gpt", true);
    EXPECT_EQ(s.snapshot(only(s)).circuit, routing::circuit_phase::half_open);
    request->commit();
    EXPECT_EQ(s.snapshot(only(s)).circuit, routing::circuit_phase::closed);
    EXPECT_THROW(request->commit(), std::logic_error);
    request->fail({.origin = failure_origin::stream_truncated});
    EXPECT_EQ(request->fsm().outcome().verdict, routing::route_verdict::failed);
}

TEST(simulation, ends_what_runs_too_long) {
    const std::string policy =
        "routerSettings: {executionPolicies: {chat: {json: {responseMs: 900, totalMs: 900, maxAttempts: 1}}}}";
    simulation s(load(deployment("a"), policy), 1, {0});
    const auto request = s.begin("gpt", false);
    s.advance(899ms);
    EXPECT_EQ(request->state(), simulated_state::attempt);
    s.advance(1ms);
    EXPECT_EQ(request->fsm().outcome().verdict, routing::route_verdict::expired);
}

TEST(simulation, ends_an_attempt_at_the_bound_of_its_deployment_and_asks_another) {
    simulation s(load(deployment("a", ", executionPolicyOverrides: {all: {totalMs: 400}}") + ", "
                      + deployment("b", ", executionPolicyOverrides: {all: {totalMs: 400}}")),
                 1, {0});
    const auto request = s.begin("gpt", false);
    s.advance(399ms);
    EXPECT_THAT(request->fsm().attempts(), SizeIs(0));
    s.advance(1ms);
    ASSERT_THAT(request->fsm().attempts(), SizeIs(1));
    EXPECT_EQ(request->fsm().attempts().front().report.origin, failure_origin::response_timeout);
    EXPECT_EQ(request->fsm().outcome().verdict, routing::route_verdict::failed); // nobody has time any more
}

TEST(simulation, logs_refusals_waits_and_chains) {
    simulation s(load(deployment("a", ", rpmLimit: 1") + ", " + deployment("x", "", "big"),
                      "fallbacks: [{primaryModel: gpt, fallbackModels: [big]}]"),
                 1, {0});
    s.begin("gpt", false)->succeed({});
    const auto request = s.begin("gpt", false);
    const auto& refused = decided<asked_decision>(*request, 0);
    EXPECT_EQ(refused.chosen, std::nullopt);
    ASSERT_THAT(refused.refused, SizeIs(1));
    EXPECT_EQ(refused.refused.front().why.why, routing::obstacle::limit);
    EXPECT_THAT(decided<chain_decision>(*request, 1).models, ElementsAre("big"));
    EXPECT_EQ(decided<asked_decision>(*request, 2).chosen, 1U);
    request->fail(answered(500));
    const auto& wait = decided<wait_decision>(*request, 3);
    EXPECT_EQ(wait.who, 1U);
    EXPECT_FALSE(wait.for_capacity);
    EXPECT_THAT(wait.until.time_since_epoch(), testing::AllOf(Ge(500ms), Le(625ms)));
    request->leave();
    EXPECT_EQ(request->fsm().outcome().verdict, routing::route_verdict::client_gone);
    EXPECT_THROW(request->fail(answered(500)), std::logic_error);
}

TEST(simulation, says_when_a_wait_is_for_capacity) {
    simulation s(load(deployment("a")), 1, {0});
    const auto request = s.begin("gpt", false);
    request->fail(answered(429));
    const auto& wait = decided<wait_decision>(*request, 1);
    EXPECT_TRUE(wait.for_capacity);
    EXPECT_THAT(wait.until.time_since_epoch(), testing::AllOf(Ge(5s), Le(6250ms)));
}

TEST(simulation, moves_several_requests_in_order_of_time) {
    simulation s(load(deployment("a", ", rpmLimit: 3"), "routerSettings: {allowedFails: 9}"), 1, {0});
    const auto first = s.begin("gpt", false);
    const auto second = s.begin("gpt", false);
    s.advance(200ms);
    second->fail(answered(500));
    s.advance(200ms);
    first->fail(answered(500));
    s.advance(2s);
    EXPECT_EQ(second->state(), simulated_state::attempt); // it took the last request of the minute
    EXPECT_EQ(first->state(), simulated_state::finished);
}

TEST(simulation, draws_the_same_from_the_same_seed) {
    simulation s(load(deployment("a") + ", " + deployment("b")), 7, {0});
    std::vector<std::optional<state::deployment_key>> drawn;
    for (int i = 0; i < 20; ++i) drawn.push_back(s.begin("gpt", false)->target());
    s.seed(7);
    std::vector<std::optional<state::deployment_key>> again;
    for (int i = 0; i < 20; ++i) again.push_back(s.begin("gpt", false)->target());
    EXPECT_EQ(drawn, again);
    EXPECT_THAT(drawn, testing::Contains(0U));
    EXPECT_THAT(drawn, testing::Contains(1U));
}

} // namespace
} // namespace turnout::gateway
