#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "config/deployment_ids.hpp"
#include "config/given_credentials.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t most_per_minute = 1'000'000'000'000;

/// False if none is given that is known.
bool read_adapter(const field& f, adapter& into) {
    std::vector<std::string_view> names;
    for (const auto a : adapters) {
        names.push_back(to_string(a));
    }
    const auto choice =
        read_choice(f, names, {"azurefoundry", "deepseek", "googleaistudio", "minimax", "moonshot", "vercel", "zai"});
    if (choice) {
        into = adapters[*choice];
    }
    return choice.has_value();
}

/// Null is a domain of its own, as if the field were absent.
void read_failure_domain(const field& f, std::string& domain) {
    if (!f.node().IsNull()) {
        assign(domain, read_string(f));
    }
}

deployment read_deployment(const field& section) {
    deployment d;
    bool knows_adapter = false;
    given_credentials given;
    std::optional<transport_set> transports;
    std::optional<bool> web_socket;
    read_map(
        section,
        {
            {"id", [&](const field& f) { assign(d.id, read_string(f)); }},
            {"label", [&](const field& f) { assign(d.label, read_string(f)); }},
            {"publicModel", [&](const field& f) { assign(d.public_model, read_string(f)); }, true},
            {"adapterKey", [&](const field& f) { knows_adapter = read_adapter(f, d.adapter_key); }, true},
            {"upstreamModel", [&](const field& f) { assign(d.upstream_model, read_string(f)); }, true},
            {"credentials", [&](const field& f) { load_credentials(f, d, given); }},
            {"weight",
             [&](const field& f) { assign(d.weight, read_integer(f, 0, std::numeric_limits<std::uint32_t>::max())); }},
            {"enabled", [&](const field& f) { assign(d.enabled, read_boolean(f)); }},
            {"streamUsage", [&](const field& f) { assign(d.stream_usage, read_boolean(f)); }},
            {"rpmLimit", [&](const field& f) { assign(d.rpm_limit, read_nullable_integer(f, 1, most_per_minute)); }},
            {"tpmLimit", [&](const field& f) { assign(d.tpm_limit, read_nullable_integer(f, 1, most_per_minute)); }},
            {"failureDomain", [&](const field& f) { read_failure_domain(f, d.failure_domain); }},
            {"pricing", [&](const field& f) { load_pricing(f, d.pricing); }},
            {"executionPolicyOverrides", [&](const field& f) { load_overrides(f, d.overrides); }},
            {"transportOverrides", [&](const field& f) { load_transports(f, transports); }},
            {"webSocket", [&](const field& f) { web_socket = read_boolean(f); }},
        },
        {"catalogEntry", "metadata"});
    if (section.node().IsMap() && knows_adapter) {
        complete_credentials(section, d, given);
        complete_transports(section, transports, d);
        complete_web_socket(section, web_socket, d);
    }
    return d;
}

/// Two deployments of one pool must be told apart in logs.
void check_labels(const field& section, const std::vector<deployment>& deployments) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> first;
    for (std::size_t i = 0; i < deployments.size(); ++i) {
        const deployment& d = deployments[i];
        if (d.label.empty() || d.public_model.empty()) {
            continue;
        }
        const auto [earlier, is_new] = first.try_emplace({d.public_model, d.label}, i);
        if (!is_new) {
            section.item(i, {}).fail_member("label", "must be unique within its publicModel; deployments["
                                                         + std::to_string(earlier->second) + "] has it too");
        }
    }
}

} // namespace

void load_deployments(const field& section, std::vector<deployment>& deployments) {
    read_sequence(section, [&](const field& f, std::size_t) { deployments.push_back(read_deployment(f)); });
    if (section.node().IsSequence() && deployments.empty()) {
        section.fail("must hold at least one deployment");
    }
    check_labels(section, deployments);
    assign_ids(section, deployments);
}

} // namespace turnout::config
