#pragma once

#include "config/configuration.hpp"
#include "config/reader.hpp"

namespace turnout::config {

/// One reader per section of the document. Each fills its part and keeps defaults for what is absent.

void load_server(const field& section, server_settings& server);
void load_router(const field& section, router_settings& router);
void load_deployments(const field& section, std::vector<deployment>& deployments);
void load_keys(const field& section, std::vector<client_key>& keys);

} // namespace turnout::config
