#pragma once

#include <variant>

#include "config/load.hpp"
#include "net/tls_server.hpp"

namespace turnout::server {

/// What clients are shown, or all that is wrong with it; a problem's path is the member's name in `server.tls`.
std::variant<net::server_tls_context, config::problems> load_certificate(const config::tls_files& files);

} // namespace turnout::server
