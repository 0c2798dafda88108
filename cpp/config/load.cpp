#include "config/load.hpp"

#include <algorithm>

#include "config/document.hpp"
#include "config/open_access.hpp"
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

} // namespace

router_settings default_router_settings() {
    using base::milliseconds;
    return {.chat = {
                .json = {.response = milliseconds{600'000},
                         .idle = {},
                         .total = milliseconds{1'800'000},
                         .max_attempts = 3},
                .stream = {.response = milliseconds{600'000},
                           .idle = milliseconds{600'000},
                           .total = milliseconds{3'600'000},
                           .max_attempts = 3},
            }};
}

std::variant<configuration, problems> load(std::string_view text, const environment& env) {
    auto document = parse_document(text);
    if (auto* fault = std::get_if<problem>(&document)) {
        return problems{std::move(*fault)};
    }
    problems found;
    load_context context{env, found};
    configuration settings{.server = {}, .router = default_router_settings(), .deployments = {}, .keys = {}};
    read_map(field{std::get<YAML::Node>(document), "", context},
             {
                 {"server", [&](const field& f) { load_server(f, settings.server); }},
                 {"routerSettings", [&](const field& f) { load_router(f, settings.router); }},
                 {"deployments", [&](const field& f) { load_deployments(f, settings.deployments); }, true},
                 {"keys", [&](const field& f) { load_keys(f, settings.keys); }},
             },
             {"fallbacks", "routing", "upstreams"});
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
