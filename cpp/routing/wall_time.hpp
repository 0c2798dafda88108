#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace turnout::routing {

/// `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the older forms that HTTP wants read: `Sunday, 06-Nov-94 08:49:37 GMT`,
/// whose years are 1970 to 2069, and `Sun Nov  6 08:49:37 1994`. Strict about everything but whether the weekday belongs
/// to the date.
std::optional<base::wall_ms> parse_http_date(std::string_view text);

/// `2024-06-01T12:00:00Z`, with a fraction of a second or an offset such as `+02:00` if there is one.
std::optional<base::wall_ms> parse_rfc3339(std::string_view text);

} // namespace turnout::routing
