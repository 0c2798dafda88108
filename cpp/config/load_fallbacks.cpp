#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::size_t most_models = 5;

/// The name of a public model that a deployment of the document serves.
std::optional<std::string> read_model(const field& f, const std::optional<name_set>& models) {
    auto name = read_string(f);
    if (name && models && !models->contains(*name)) {
        f.fail("must be the publicModel of a deployment");
    }
    return name;
}

/// Whether `f`, which is `name`, may follow those before it.
void check_target(const field& f, const std::string& name, const fallback_chain& chain) {
    if (name == chain.primary_model) {
        f.fail("must not be the primaryModel itself");
    }
    if (std::find(chain.models.begin(), chain.models.end(), name) != chain.models.end()) {
        f.fail("must be unique within fallbackModels");
    }
}

void read_targets(const field& section, const std::optional<name_set>& models, fallback_chain& chain) {
    if (!section.node().IsSequence() || section.node().size() < 1 || section.node().size() > most_models) {
        section.fail("must be a list of 1 to " + std::to_string(most_models) + " public models");
        return;
    }
    read_sequence(section, [&](const field& f, std::size_t) {
        if (auto name = read_model(f, models)) {
            check_target(f, *name, chain);
            chain.models.push_back(*std::move(name));
        }
    });
}

fallback_chain read_chain(const field& section, const std::optional<name_set>& models) {
    using routing::fallback_reason;
    fallback_chain chain;
    std::optional<field> targets; // judged last, since none may be the primary
    read_map(section,
             {
                 {"primaryModel", [&](const field& f) { assign(chain.primary_model, read_model(f, models)); }, true},
                 {"reason",
                  [&](const field& f) {
                      assign(chain.reason,
                             read_choice(f, std::array{fallback_reason::general, fallback_reason::context_window,
                                                       fallback_reason::content_policy}));
                  }},
                 {"fallbackModels", [&](const field& f) { targets = f; }, true},
             });
    if (targets) {
        read_targets(*targets, models, chain);
    }
    return chain;
}

/// A failure has one way to go.
void check_unique(const field& section, const std::vector<fallback_chain>& chains) {
    std::map<std::pair<std::string_view, routing::fallback_reason>, std::size_t> first;
    for (std::size_t i = 0; i < chains.size(); ++i) {
        const fallback_chain& chain = chains[i];
        if (chain.primary_model.empty()) {
            continue;
        }
        const auto [earlier, is_new] = first.try_emplace({chain.primary_model, chain.reason}, i);
        if (!is_new) {
            section.item(i, {}).fail("must have a primaryModel and reason of its own; fallbacks["
                                     + std::to_string(earlier->second) + "] has both too");
        }
    }
}

} // namespace

void load_fallbacks(const field& section, const std::optional<name_set>& models, std::vector<fallback_chain>& chains) {
    read_sequence(section, [&](const field& f, std::size_t) { chains.push_back(read_chain(f, models)); });
    check_unique(section, chains);
}

} // namespace turnout::config
