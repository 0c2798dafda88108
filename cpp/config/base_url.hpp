#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace turnout::config {

/// What an upstream's URL must be, for a problem's message.
struct url_fault {
    std::string_view message;
};

/// Checks an absolute http or https URL (host, optional port, optional path; no user, query or fragment) and answers it
/// with a lower-case scheme and without trailing slashes.
std::variant<std::string, url_fault> normalize_base_url(std::string_view url);

} // namespace turnout::config
