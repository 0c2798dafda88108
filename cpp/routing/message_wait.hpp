#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace turnout::routing {

/// How long a throttle's message says to wait: "try again in 9m38.016s", "retry after 7 seconds". Nothing if it does
/// not. `message` in lower case. At most `longest_asked_wait`.
std::optional<base::milliseconds> wait_in_message(std::string_view message);

} // namespace turnout::routing
