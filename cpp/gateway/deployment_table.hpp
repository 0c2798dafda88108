#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.hpp"
#include "net/upstream.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// The opaque id that clients see: `dep_` and the first 12 hexadecimal digits of the SHA-256 of the configured id.
std::string public_id(std::string_view id);

/// A deployment with everything that can be made ready before a request comes.
struct deployment {
    config::deployment settings;
    std::string public_id;
    net::endpoint where;
    std::string chat_head; ///< request line and header lines up to those that differ per request
};

/// One configuration generation's deployments; a deployment's index is its key in live state.
class deployment_table {
public:
    /// Throws std::invalid_argument on a base URL that validation should have refused.
    explicit deployment_table(const std::vector<config::deployment>& settings);

    const deployment& at(state::deployment_key key) const { return all_.at(key); }
    const std::vector<deployment>& all() const { return all_; }

    /// The enabled deployments of a public model; null if there is none.
    const std::vector<state::deployment_key>* pool(std::string_view public_model) const;
    /// Public models with an enabled deployment, sorted by name.
    const std::map<std::string, std::vector<state::deployment_key>, std::less<>>& pools() const { return pools_; }

private:
    std::vector<deployment> all_;
    std::map<std::string, std::vector<state::deployment_key>, std::less<>> pools_;
};

} // namespace turnout::gateway
