#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/configuration.hpp"
#include "gateway/siv_contexts.hpp"

namespace turnout::gateway {

/// What a sealed id stands for.
struct sealed_subject {
    std::string deployment;  ///< `deployment::seal_name`
    std::string upstream_id; ///< what that deployment calls it
};

/// Seals ids of upstreams, so that clients carry what would have to be kept in a table: which deployment an id is from.
/// Nobody can read or make one, and the same gives the same again (AES-SIV, RFC 5297): the events of a stream agree, and
/// so do all gateways with the same secret.
class sealing {
public:
    /// Throws std::runtime_error if OpenSSL has no AES-SIV.
    explicit sealing(std::string_view secret);

    /// `prefix` and base64url. Only the same `owner` can open it, and with the same prefix.
    std::string seal(std::string_view prefix, std::string_view owner, std::string_view deployment,
                     std::string_view upstream_id) const;
    /// Nothing for whatever `seal` did not make of this prefix and owner.
    std::optional<sealed_subject> open(std::string_view prefix, std::string_view owner, std::string_view id) const;

private:
    siv_contexts seals_;
    siv_contexts opens_;
};

/// What only those know who may see every id: the master key; without one, the clients' keys together, in any order.
/// Where nobody needs a key there is nothing to keep from anybody, and it is empty.
std::string sealing_secret(const config::configuration& settings);

} // namespace turnout::gateway
