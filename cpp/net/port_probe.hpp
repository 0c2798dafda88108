#pragma once

#include <cstdint>
#include <string>

namespace turnout::net {

/// Why `host:port` cannot be bound, or empty. Workers share their port, which would let two gateways share one by
/// mistake; this asks for it alone first.
std::string probe_port(const std::string& host, std::uint16_t port);

} // namespace turnout::net
