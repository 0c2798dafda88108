#pragma once

#include "config/configuration.hpp"
#include "net/upstream.hpp"

namespace turnout::gateway {

/// How the settings say that upstreams are reached.
net::upstream_options reaching(const config::network_settings& network);

} // namespace turnout::gateway
