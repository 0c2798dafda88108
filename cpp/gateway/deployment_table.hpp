#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.hpp"
#include "gateway/public_model.hpp"
#include "gateway/served_contract.hpp"
#include "net/upstream.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// The opaque id that clients see: `dep_` and the first 12 hexadecimal digits of the SHA-256 of the configured id.
std::string public_id(std::string_view id);

/// Length of `deployment::seal_name`.
inline constexpr std::size_t seal_name_bytes = 8;

/// A deployment with everything that can be made ready before a request comes.
struct deployment {
    state::deployment_key key;
    config::deployment settings;
    std::string public_id;
    std::string seal_name;      ///< in sealed ids: the first bytes of the SHA-256 of the configured id
    std::string upstream_model; ///< as a JSON string
    std::string public_model;   ///< as a JSON string
    net::endpoint where;
    std::string base_path; ///< of its base URL
    /// As `upstream_head` makes them, for stored responses without a request line; empty where no transport carries the
    /// contract.
    by_contract<std::string> heads;
    std::string socket_head;         ///< likewise, of a WebSocket's handshake; empty where none is taken
    config::operation_policies chat; ///< with its own overrides; `total` is the logical request's
};

/// One configuration generation's deployments; a deployment's index is its key in live state.
class deployment_table {
public:
    /// Throws std::invalid_argument on a base URL that validation should have refused.
    explicit deployment_table(const config::configuration& settings);

    const deployment& at(state::deployment_key key) const { return all_.at(key); }
    const std::vector<deployment>& all() const { return all_; }

    /// Null if the public model has no enabled deployment.
    const public_model* find(std::string_view name) const;
    /// Public models with an enabled deployment, sorted by name.
    const public_models& models() const { return models_; }

private:
    std::vector<deployment> all_;
    public_models models_;
};

} // namespace turnout::gateway
