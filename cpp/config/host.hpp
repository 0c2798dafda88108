#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace turnout::config {

/// An IPv6 address without brackets.
bool is_ipv6_address(std::string_view text);

/// An IPv4 address, or an IPv6 address without brackets.
bool is_ip_address(std::string_view text);

/// A TCP or UDP port, 1 to 65535, in plain digits.
std::optional<std::uint16_t> parse_port(std::string_view text);

/// What the server can listen on: an IPv4 or IPv6 address, or `localhost`.
bool is_listen_host(std::string_view host);

/// Reachable from this machine only: 127.0.0.0/8, `::1` or `localhost`.
bool is_loopback_host(std::string_view host);

} // namespace turnout::config
