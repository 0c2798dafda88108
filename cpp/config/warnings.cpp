#include "config/warnings.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace turnout::config {
namespace {

/// What a public model's enabled deployments carry between them.
transport_set carried_by(const std::vector<deployment>& all, std::string_view model) {
    transport_set carried;
    for (const auto& d : all) {
        if (!d.enabled || d.public_model != model) continue;
        for (const auto t : transports)
            if (d.transports.has(t)) carried.add(t);
    }
    return carried;
}

/// `chat`, `chat or responses`: what the primary model carries and nobody of the chain does. Empty if there is nothing.
std::string without_fallback(const std::vector<deployment>& all, const fallback_chain& chain) {
    const auto primary = carried_by(all, chain.primary_model);
    std::string names;
    for (const auto t : transports) {
        const auto carries = [&](const std::string& model) { return carried_by(all, model).has(t); };
        if (!primary.has(t) || std::any_of(chain.models.begin(), chain.models.end(), carries)) continue;
        if (!names.empty()) names += " or ";
        names += to_string(t);
    }
    return names;
}

} // namespace

problems warnings(const configuration& settings) {
    problems found;
    for (std::size_t i = 0; i < settings.fallbacks.size(); ++i) {
        const auto names = without_fallback(settings.deployments, settings.fallbacks[i]);
        if (names.empty()) continue;
        found.push_back({"fallbacks[" + std::to_string(i) + "].fallbackModels",
                         "no enabled deployment of these models carries " + names + " requests, so that those for "
                             + settings.fallbacks[i].primary_model + " have no fallback here"});
    }
    return found;
}

} // namespace turnout::config
