#include "server/connection_limit.hpp"

#include <algorithm>

namespace turnout::server {
namespace {

// Beside clients and upstreams: listener, queue and timer of a worker, and the clients that it tells that it is full.
constexpr std::size_t for_a_worker = 40;
// The operation log, name lookups, and whatever a library opens.
constexpr std::size_t for_the_process = 64;
// Without these nobody is answered: three of a worker, a client, its upstream, and the log's files.
constexpr std::size_t least_for_a_worker = 3;
constexpr std::size_t least_for_the_process = 8;
// What a machine's limit allows is a surprise where it is less.
constexpr std::size_t few = 128;

} // namespace

connection_limit choose_connection_limit(std::optional<std::size_t> configured, std::size_t descriptors,
                                         std::size_t open, unsigned workers) {
    if (descriptors < open + least_for_the_process + workers * least_for_a_worker)
        return {0, "the limit of " + std::to_string(descriptors)
                       + " open descriptors is too low to serve anybody (ulimit -n)"};
    const auto set_aside = open + for_the_process + workers * for_a_worker;
    const auto fits = std::max<std::size_t>(1, descriptors > set_aside ? (descriptors - set_aside) / 2 : 0);
    connection_limit chosen{std::min(configured.value_or(fits), fits), {}};
    if (configured && *configured > fits)
        chosen.warning = "turnout: server.maxConnections " + std::to_string(*configured) + " is more than the limit of "
                         + std::to_string(descriptors) + " open descriptors allows: at most " + std::to_string(fits)
                         + " clients are taken at once, each with an upstream connection";
    if (!configured && fits < few)
        chosen.warning = "turnout: the limit of " + std::to_string(descriptors) + " open descriptors is low: at most "
                         + std::to_string(fits) + " clients are taken at once, each with an upstream connection";
    return chosen;
}

} // namespace turnout::server
