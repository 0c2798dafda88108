#include "config/name_server.hpp"

#include <algorithm>

#include "config/host.hpp"

namespace turnout::config {

std::optional<name_server> parse_name_server(std::string_view text) {
    name_server server;
    if (is_ip_address(text)) {
        server.address = text;
        return server;
    }
    const bool is_bracketed = text.starts_with('[');
    const std::size_t end = std::min(text.find(is_bracketed ? ']' : ':'), text.size());
    const std::string_view address = text.substr(0, end).substr(is_bracketed ? 1 : 0);
    const std::string_view rest = text.substr(std::min(end + (is_bracketed ? 1 : 0), text.size()));
    if (!is_ip_address(address) || is_ipv6_address(address) != is_bracketed) {
        return std::nullopt;
    }
    server.address = address;
    if (rest.empty()) {
        return is_bracketed && end < text.size() ? std::optional{server} : std::nullopt;
    }
    if (!rest.starts_with(':')) {
        return std::nullopt;
    }
    const auto port = parse_port(rest.substr(1));
    if (!port) {
        return std::nullopt;
    }
    server.port = *port;
    return server;
}

} // namespace turnout::config
