#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace turnout::net {

/// RFC 4648, section 4, with padding.
std::string base64(std::string_view bytes);

/// RFC 4648, section 5, without padding.
std::string base64url(std::string_view bytes);
/// Nothing for a text that `base64url` would not have written.
std::optional<std::string> from_base64url(std::string_view text);

} // namespace turnout::net
