#include "config/deployment_ids.hpp"

#include <map>

namespace turnout::config {

void assign_ids(const field& section, std::vector<deployment>& deployments) {
    std::map<std::string, int> claims;
    for (const deployment& d : deployments) {
        ++claims[d.id];
        claims[d.label] += d.label == d.id ? 0 : 1;
    }
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < deployments.size(); ++i) {
        deployment& d = deployments[i];
        if (d.id.empty()) {
            d.id = !d.label.empty() && claims[d.label] == 1 ? d.label : d.public_model + "#" + std::to_string(i);
        }
        const auto [earlier, is_new] = first.try_emplace(d.id, i);
        if (!is_new) {
            section.item(i, {}).fail_member("id", "must be unique; deployments[" + std::to_string(earlier->second)
                                                      + "] has it too");
        }
    }
}

} // namespace turnout::config
