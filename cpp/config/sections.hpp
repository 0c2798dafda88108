#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "config/configuration.hpp"
#include "config/reader.hpp"

namespace turnout::config {

/// One reader per section of the document. Each fills its part and keeps defaults for what is absent.

void load_server(const field& section, server_settings& server);
void load_network(const field& section, network_settings& network);
void load_router(const field& section, router_settings& router);
void load_deployments(const field& section, std::vector<deployment>& deployments);
void load_keys(const field& section, std::vector<client_key>& keys);
/// After the server's section and the keys are read: who shows the master key is its owner, not a client.
void refuse_master_key(const field& section, const std::string& master_key, const std::vector<client_key>& keys);

using name_set = std::set<std::string, std::less<>>;

/// Without `models`, the names that chains refer to are not looked up.
void load_fallbacks(const field& section, const std::optional<name_set>& models, std::vector<fallback_chain>& chains);

/// Parts of those sections.

void load_policies(const field& section, by_operation<operation_policies>& policies);
/// `chosen` stays empty if no operation's transports are given.
void load_transports(const field& section, std::optional<transport_set>& chosen);
/// Those that `chosen` names, or that the adapter has by itself.
void complete_transports(const field& deployment_section, const std::optional<transport_set>& chosen, deployment& d);
/// After the address and the transports are known.
void complete_web_socket(const field& deployment_section, std::optional<bool> chosen, deployment& d);
void load_pricing(const field& section, routing::pricing& pricing);
void load_overrides(const field& section, policy_overrides& overrides);

} // namespace turnout::config
