#include <limits>
#include <map>
#include <utility>

#include "config/base_url.hpp"
#include "config/deployment_ids.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::string_view openai_base_url = "https://api.openai.com/v1";
constexpr std::int64_t most_per_minute = 1'000'000'000'000;

/// Which fields a deployment has, well-formed or not, so that an ill-formed one is not also called missing.
struct presence {
    bool adapter = false;
    bool credentials = false;
    bool api_key = false;
    bool base_url = false;
};

void read_base_url(const field& f, std::string& base_url) {
    const auto text = read_string(f);
    if (!text) {
        return;
    }
    auto url = normalize_base_url(*text);
    if (const auto* fault = std::get_if<url_fault>(&url)) {
        f.fail(std::string{fault->message});
    } else {
        base_url = std::get<std::string>(std::move(url));
    }
}

void read_credentials(const field& section, deployment& d, presence& given) {
    given.credentials = true;
    read_map(section,
             {
                 {"apiKey",
                  [&](const field& f) {
                      given.api_key = true;
                      assign(d.api_key, read_secret(f));
                  }},
                 {"baseUrl",
                  [&](const field& f) {
                      given.base_url = true;
                      read_base_url(f, d.base_url);
                  }},
             },
             {"headers", "version"});
}

void read_adapter(const field& f, deployment& d, presence& given) {
    const auto choice = read_choice(f, {to_string(adapter::openai), to_string(adapter::openaicompatible)},
                                    {"anthropic", "azurefoundry", "azureopenai", "deepseek", "googleaistudio",
                                     "minimax", "moonshot", "openrouter", "vercel", "zai"});
    if (choice) {
        given.adapter = true;
        d.adapter_key = *choice == 0 ? adapter::openai : adapter::openaicompatible;
    }
}

/// What an adapter cannot work without, and what it can supply itself.
void complete_credentials(const field& section, deployment& d, const presence& given) {
    if (!given.adapter) {
        return;
    }
    const bool is_openai = d.adapter_key == adapter::openai;
    const std::string wanted = is_openai ? "apiKey" : "baseUrl";
    if (!given.credentials) {
        section.fail_member("credentials", "is required, with " + wanted);
        return;
    }
    const field credentials = section.member("credentials", section.node()["credentials"]);
    if (credentials.node().IsMap() && !(is_openai ? given.api_key : given.base_url)) {
        credentials.fail_member(wanted, "is required with adapterKey " + std::string{to_string(d.adapter_key)});
    }
    if (is_openai && !given.base_url) {
        d.base_url = openai_base_url;
    }
}

/// Null is a domain of its own, as if the field were absent.
void read_failure_domain(const field& f, std::string& domain) {
    if (!f.node().IsNull()) {
        assign(domain, read_string(f));
    }
}

deployment read_deployment(const field& section) {
    deployment d;
    presence given;
    read_map(
        section,
        {
            {"id", [&](const field& f) { assign(d.id, read_string(f)); }},
            {"label", [&](const field& f) { assign(d.label, read_string(f)); }},
            {"publicModel", [&](const field& f) { assign(d.public_model, read_string(f)); }, true},
            {"adapterKey", [&](const field& f) { read_adapter(f, d, given); }, true},
            {"upstreamModel", [&](const field& f) { assign(d.upstream_model, read_string(f)); }, true},
            {"credentials", [&](const field& f) { read_credentials(f, d, given); }},
            {"weight",
             [&](const field& f) { assign(d.weight, read_integer(f, 0, std::numeric_limits<std::uint32_t>::max())); }},
            {"enabled", [&](const field& f) { assign(d.enabled, read_boolean(f)); }},
            {"streamUsage", [&](const field& f) { assign(d.stream_usage, read_boolean(f)); }},
            {"rpmLimit", [&](const field& f) { assign(d.rpm_limit, read_nullable_integer(f, 1, most_per_minute)); }},
            {"tpmLimit", [&](const field& f) { assign(d.tpm_limit, read_nullable_integer(f, 1, most_per_minute)); }},
            {"failureDomain", [&](const field& f) { read_failure_domain(f, d.failure_domain); }},
            {"pricing", [&](const field& f) { load_pricing(f, d.pricing); }},
            {"executionPolicyOverrides", [&](const field& f) { load_overrides(f, d.overrides); }},
        },
        {"catalogEntry", "metadata", "transportOverrides"});
    if (section.node().IsMap()) {
        complete_credentials(section, d, given);
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
