#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

client_key read_key(const field& section) {
    client_key key;
    read_map(section,
             {
                 {"name", [&](const field& f) { assign(key.name, read_string(f)); }, true},
                 {"key", [&](const field& f) { assign(key.key, read_secret(f)); }, true},
             },
             {"allowedModels", "budgetReset", "enabled", "expiresAt", "maxBudgetCents", "rpm", "tpm"});
    return key;
}

/// A name or a key that stands twice would leave open who a request comes from.
void check_unique(const field& section, const std::vector<client_key>& keys, std::string_view member,
                  std::string client_key::* value) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto same = [&](const client_key& other) { return other.*value == keys[i].*value; };
        const auto earlier = std::find_if(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(i), same);
        if (!(keys[i].*value).empty() && earlier != keys.begin() + static_cast<std::ptrdiff_t>(i)) {
            section.item(i, {}).fail_member(member, "must be unique; keys[" + std::to_string(earlier - keys.begin())
                                                        + "] has it too");
        }
    }
}

} // namespace

void load_keys(const field& section, std::vector<client_key>& keys) {
    read_sequence(section, [&](const field& f, std::size_t) { keys.push_back(read_key(f)); });
    check_unique(section, keys, "name", &client_key::name);
    check_unique(section, keys, "key", &client_key::key);
}

void refuse_master_key(const field& section, const std::string& master_key, const std::vector<client_key>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!master_key.empty() && keys[i].key == master_key) {
            section.item(i, {}).fail_member("key", "must differ from server.masterKey");
        }
    }
}

} // namespace turnout::config
