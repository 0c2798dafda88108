#pragma once

#include <string>
#include <string_view>

namespace turnout::config {

/// Writes each escaped UTF-16 surrogate pair of a JSON text (`\ud83d\ude00`) as the UTF-8 character that it means,
/// since the YAML reader knows no pairs. Any other text, JSON or not, comes back unchanged.
std::string join_surrogate_pairs(std::string_view text);

} // namespace turnout::config
