#pragma once

#include <optional>
#include <string_view>

#include "config/configuration.hpp"

namespace turnout::config {

/// `ADDRESS`, `IPV4:PORT` or `[IPV6]:PORT`, with a port from 1 to 65535. Nothing if it is none of them.
std::optional<name_server> parse_name_server(std::string_view text);

} // namespace turnout::config
