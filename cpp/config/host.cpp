#include "config/host.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

#include <arpa/inet.h>

namespace turnout::config {
namespace {

using ipv4_bytes = std::array<unsigned char, 4>;
using ipv6_bytes = std::array<unsigned char, 16>;

template <int Family, class Bytes>
std::optional<Bytes> parse_address(std::string_view text) {
    Bytes bytes{};
    if (inet_pton(Family, std::string{text}.c_str(), bytes.data()) != 1) {
        return std::nullopt;
    }
    return bytes;
}

std::optional<ipv4_bytes> parse_ipv4(std::string_view text) { return parse_address<AF_INET, ipv4_bytes>(text); }

std::optional<ipv6_bytes> parse_ipv6(std::string_view text) { return parse_address<AF_INET6, ipv6_bytes>(text); }

} // namespace

bool is_ipv6_address(std::string_view text) { return parse_ipv6(text).has_value(); }

bool is_ip_address(std::string_view text) { return parse_ipv4(text) || parse_ipv6(text); }

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0) {
        return std::nullopt;
    }
    return value;
}

bool is_listen_host(std::string_view host) { return host == "localhost" || is_ip_address(host); }

bool is_loopback_host(std::string_view host) {
    if (const auto ipv4 = parse_ipv4(host)) {
        return (*ipv4)[0] == 127;
    }
    if (const auto ipv6 = parse_ipv6(host)) {
        ipv6_bytes loopback{};
        loopback.back() = 1;
        return *ipv6 == loopback;
    }
    return host == "localhost";
}

} // namespace turnout::config
