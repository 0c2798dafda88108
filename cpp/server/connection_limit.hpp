#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace turnout::server {

/// How many clients may be connected at once.
struct connection_limit {
    std::size_t connections = 0;
    std::string warning; ///< one line if this is nothing, very few, or less than what was asked for; empty if not
};

/// The most for which each client can have an upstream connection within `descriptors`, of which `open` are in use
/// already; less if `configured` (`server.maxConnections`) says less. 0 if not even the workers have theirs.
connection_limit choose_connection_limit(std::optional<std::size_t> configured, std::size_t descriptors,
                                         std::size_t open, unsigned workers);

} // namespace turnout::server
