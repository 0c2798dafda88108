#include "config/base_url.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ascii.hpp"
#include "config/host.hpp"

namespace turnout::config {
namespace {

bool is_host(std::string_view host) {
    if (host.starts_with('[')) {
        return host.size() > 2 && host.ends_with(']') && is_ipv6_address(host.substr(1, host.size() - 2));
    }
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
        return base::is_alphanumeric(c) || c == '-' || c == '.' || c == '_';
    });
}

bool is_path(std::string_view path) {
    constexpr std::string_view marks = "/-._~!$&'()*+,;=:@%";
    return std::all_of(path.begin(), path.end(),
                       [&](char c) { return base::is_alphanumeric(c) || marks.find(c) != std::string_view::npos; });
}

} // namespace

std::optional<authority> parse_authority(std::string_view text) {
    const std::size_t bracket = text.find(']'); // the colons of an IPv6 address are inside its brackets
    const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
    const std::string_view host = text.substr(0, colon);
    if (!is_host(host)) {
        return std::nullopt;
    }
    authority parsed{std::string{host.starts_with('[') ? host.substr(1, host.size() - 2) : host}, {}};
    if (colon != std::string_view::npos) {
        parsed.port = parse_port(text.substr(colon + 1));
        if (!parsed.port) {
            return std::nullopt;
        }
    }
    return parsed;
}

std::variant<std::string, url_fault> normalize_base_url(std::string_view url) {
    const std::size_t colon = std::min(url.find("://"), url.size());
    const std::string scheme = base::lower_case(url.substr(0, colon));
    if (colon == url.size() || (scheme != "http" && scheme != "https")) {
        return url_fault{"must be an absolute http or https URL"};
    }
    std::string_view rest = url.substr(colon + 3);
    if (rest.find_first_of("?#") != std::string_view::npos) {
        return url_fault{"must have neither a query nor a fragment"};
    }
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view host_and_port = rest.substr(0, slash);
    if (host_and_port.find('@') != std::string_view::npos) {
        return url_fault{"must not contain a user name or password"};
    }
    if (!parse_authority(host_and_port)) {
        return url_fault{"must name a host, with a port from 1 to 65535 if any"};
    }
    if (!is_path(rest.substr(slash))) {
        return url_fault{"must have a path of URL characters"};
    }
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    return scheme + "://" + std::string{rest};
}

} // namespace turnout::config
