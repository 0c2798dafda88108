#include "server/connection_limit.hpp"

#include <algorithm>

namespace turnout::server {
namespace {

// Beside clients and upstreams: listener, queue and timer of a worker, and the clients that it tells that it is full.
constexpr std::size_t for_a_worker = 40;
// The operation log, name lookups, and whatever a library opens.
constexpr std::size_t for_the_process = 64;

} // namespace

connection_limit choose_connection_limit(std::optional<std::size_t> configured, std::size_t descriptors,
                                         std::size_t open, unsigned workers) {
    const auto set_aside = open + for_the_process + workers * for_a_worker;
    const auto fits = std::max<std::size_t>(1, descriptors > set_aside ? (descriptors - set_aside) / 2 : 0);
    connection_limit chosen{std::min(configured.value_or(fits), fits), {}};
    if (configured && *configured > fits)
        chosen.warning = "turnout: server.maxConnections " + std::to_string(*configured) + " is more than the limit of "
                         + std::to_string(descriptors) + " open descriptors allows: at most " + std::to_string(fits)
                         + " clients are taken at once, each with an upstream connection";
    return chosen;
}

} // namespace turnout::server
