#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace turnout::config {

/// What an upstream's URL must be, for a problem's message.
struct url_fault {
    std::string_view message;
};

/// `host` or `host:port` of a URL.
struct authority {
    std::string host; ///< IPv6 without brackets
    std::optional<std::uint16_t> port;
};

/// Nothing if it is no host, or a port beside 1 to 65535. IPv6 addresses stand in brackets.
std::optional<authority> parse_authority(std::string_view text);

/// Checks an absolute http or https URL (host, optional port, optional path; no user, query or fragment) and answers it
/// with a lower-case scheme and without trailing slashes.
std::variant<std::string, url_fault> normalize_base_url(std::string_view url);

} // namespace turnout::config
