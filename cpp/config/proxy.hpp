#pragma once

#include "config/load.hpp"

namespace turnout::config {

/// Reads the proxy for https upstreams from HTTPS_PROXY (`http://[user:password@]host[:port]`) and NO_PROXY (a list by
/// commas). The names in lower case go first, as curl and Python have it. A fault names the variable and no part of
/// its value.
void load_proxy(const environment& env, std::optional<proxy_settings>& proxy, problems& found);

} // namespace turnout::config
