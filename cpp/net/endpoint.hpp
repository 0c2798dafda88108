#pragma once

#include <cstdint>
#include <string>

namespace turnout::net {

/// Where a deployment lives. Equal endpoints share connections.
struct endpoint {
    std::string host; ///< IPv6 without brackets
    std::uint16_t port = 80;
    bool tls = false;

    friend bool operator==(const endpoint&, const endpoint&) = default;
};

} // namespace turnout::net
