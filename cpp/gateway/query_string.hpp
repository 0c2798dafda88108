#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace turnout::gateway {

using query_parameters = std::vector<std::pair<std::string, std::string>>;

/// The parameters of a target, decoded, in their order; nothing if a percent encoding is broken. A plus sign is a blank,
/// as in forms.
std::optional<query_parameters> parse_query(std::string_view target);

} // namespace turnout::gateway
