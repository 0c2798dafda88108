#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_attempts = 20;

/// A JSON answer has no bytes to wait for before it is whole: `responseMs` is its only silence.
void refuse_idle(const field& f) {
    if (!f.node().IsNull()) {
        f.fail("must be null");
    }
}

void read_policy(const field& section, execution_policy& policy,
                 const std::function<void(const field&)>& read_idle_ms) {
    read_map(section, {
                          {"responseMs", [&](const field& f) { assign(policy.response, read_duration(f)); }},
                          {"idleMs", read_idle_ms},
                          {"totalMs", [&](const field& f) { assign(policy.total, read_duration(f)); }},
                          {"maxAttempts",
                           [&](const field& f) { assign(policy.max_attempts, read_integer(f, 1, most_attempts)); }},
                      });
}

void read_operation(const field& section, operation_policies& policies) {
    read_map(section, {
                          {"json", [&](const field& f) { read_policy(f, policies.json, refuse_idle); }},
                          {"stream",
                           [&](const field& f) {
                               read_policy(f, policies.stream, [&](const field& idle) {
                                   assign(policies.stream.idle, read_nullable_duration(idle));
                               });
                           }},
                      });
}

void read_policies(const field& section, router_settings& router) {
    read_map(section, {{"chat", [&](const field& f) { read_operation(f, router.chat); }}},
             {"images.generations", "images.edits", "videos.generations", "audio.transcriptions", "audio.speech",
              "embeddings", "rerank"});
}

void read_strategy(const field& f) {
    read_choice(f, {"simple-shuffle"},
                {"least-busy", "usage-based-rpm", "usage-based-tpm", "latency-based", "throughput-based", "price-based",
                 "health-aware"});
}

} // namespace

void load_router(const field& section, router_settings& router) {
    read_map(section,
             {
                 {"routingStrategy", read_strategy},
                 {"executionPolicies", [&](const field& f) { read_policies(f, router); }},
             },
             {"allowedFails", "cooldownSeconds", "retryAfterSeconds", "failureWindowSeconds", "maxCooldownSeconds",
              "halfOpenProbeSeconds", "configurationCooldownSeconds", "throttleCooldownSeconds",
              "unsupportedParameterStrategy"});
}

} // namespace turnout::config
