#include "config/load.hpp"

#include <algorithm>

#include "config/document.hpp"
#include "config/open_access.hpp"
#include "config/proxy.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

/// Whether the document already has a fault in what decides about access, so that the rule on it would be judged too
/// early.
bool is_access_unclear(const problems& found) {
    return std::any_of(found.begin(), found.end(), [](const problem& p) {
        return p.path.starts_with("keys") || p.path == "server" || p.path == "server.masterKey"
               || p.path == "server.host";
    });
}

/// The public models of the document, or nothing if a fault leaves them in doubt.
std::optional<name_set> public_models(const std::vector<deployment>& deployments) {
    const bool is_unclear = deployments.empty()
                            || std::any_of(deployments.begin(), deployments.end(),
                                           [](const deployment& d) { return d.public_model.empty(); });
    if (is_unclear) {
        return std::nullopt;
    }
    name_set models;
    for (const deployment& d : deployments) {
        models.insert(d.public_model);
    }
    return models;
}

/// Where no upstream speaks TLS, a proxy for TLS is nobody's concern, nor is what is wrong with it.
bool asks_over_tls(const std::vector<deployment>& deployments) {
    return std::any_of(deployments.begin(), deployments.end(),
                       [](const deployment& d) { return d.base_url.starts_with("https://"); });
}

} // namespace

std::variant<configuration, problems> load(std::string_view text, const environment& env, const file_checks& files) {
    auto document = parse_document(text);
    if (auto* fault = std::get_if<problem>(&document)) {
        return problems{std::move(*fault)};
    }
    problems found;
    load_context context{env, files, found};
    configuration settings;
    std::optional<field> fallbacks; // judged last, since they name what the deployments serve
    std::optional<field> keys;
    read_map(field{std::get<YAML::Node>(document), "", context},
             {
                 {"server", [&](const field& f) { load_server(f, settings.server); }},
                 {"network", [&](const field& f) { load_network(f, settings.network); }},
                 {"routerSettings", [&](const field& f) { load_router(f, settings.router); }},
                 {"deployments", [&](const field& f) { load_deployments(f, settings.deployments); }, true},
                 {"keys",
                  [&](const field& f) {
                      keys = f;
                      load_keys(f, settings.keys);
                  }},
                 {"fallbacks", [&](const field& f) { fallbacks = f; }},
             },
             {"routing", "upstreams"});
    if (keys) {
        refuse_master_key(*keys, settings.server.master_key, settings.keys);
    }
    if (fallbacks) {
        load_fallbacks(*fallbacks, public_models(settings.deployments), settings.fallbacks);
    }
    if (asks_over_tls(settings.deployments)) {
        load_proxy(env, settings.network.proxy, found);
    }
    if (!is_access_unclear(found)) {
        if (auto open = check_open_access(settings)) {
            found.push_back(std::move(*open));
        }
    }
    if (!found.empty()) {
        return found;
    }
    return settings;
}

} // namespace turnout::config
