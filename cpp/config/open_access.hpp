#pragma once

#include <optional>

#include "config/load.hpp"

namespace turnout::config {

/// Without keys and without a master key everyone is served, which is allowed only where nobody else can connect.
/// `load` asks this for the declared host; ask again after another host took its place.
std::optional<problem> check_open_access(const configuration& settings);

} // namespace turnout::config
