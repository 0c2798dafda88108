#include <array>

#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_allowed_fails = 1'000'000;

constexpr std::array strategies{
    routing::strategy::simple_shuffle,  routing::strategy::least_busy,    routing::strategy::usage_based_rpm,
    routing::strategy::usage_based_tpm, routing::strategy::latency_based, routing::strategy::throughput_based,
    routing::strategy::price_based,     routing::strategy::health_aware,
};

/// Reads seconds from `least` into `target`.
member seconds(std::string_view name, std::int64_t least, base::duration& target) {
    return {name, [least, &target](const field& f) { assign(target, read_seconds(f, least)); }};
}

} // namespace

void load_router(const field& section, router_settings& router) {
    routing::circuit_settings& circuits = router.circuits;
    read_map(section,
             {
                 {"routingStrategy", [&](const field& f) { assign(router.strategy, read_choice(f, strategies)); }},
                 {"allowedFails",
                  [&](const field& f) { assign(circuits.allowed_fails, read_integer(f, 0, most_allowed_fails)); }},
                 seconds("cooldownSeconds", 0, circuits.cooldown),
                 seconds("failureWindowSeconds", 1, circuits.failure_window),
                 seconds("maxCooldownSeconds", 1, circuits.max_cooldown),
                 seconds("halfOpenProbeSeconds", 1, circuits.half_open_probe),
                 seconds("configurationCooldownSeconds", 1, circuits.configuration_cooldown),
                 seconds("throttleCooldownSeconds", 1, circuits.throttle_cooldown),
                 seconds("retryAfterSeconds", 0, router.retry_after),
                 {"executionPolicies", [&](const field& f) { load_policies(f, router.policies); }},
             },
             {"unsupportedParameterStrategy"});
}

} // namespace turnout::config
