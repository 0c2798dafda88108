#include "config/open_access.hpp"

#include "config/host.hpp"

namespace turnout::config {

std::optional<problem> check_open_access(const configuration& settings) {
    if (!settings.keys.empty() || !settings.server.master_key.empty() || is_loopback_host(settings.server.host)) {
        return std::nullopt;
    }
    return problem{"server.host", "must be a loopback address while neither keys nor server.masterKey are given"};
}

} // namespace turnout::config
