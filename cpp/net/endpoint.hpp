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

/// `host:port`, as URLs and header fields have it: IPv6 in brackets.
inline std::string with_port(const std::string& host, std::uint16_t port) {
    const bool is_ipv6 = host.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

} // namespace turnout::net
