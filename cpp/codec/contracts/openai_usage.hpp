#pragma once

#include <optional>
#include <string_view>

#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec {

/// Reads the value of a `usage`: the members of these names, and `total_tokens`, which is their sum where it is not
/// given. Nothing if it has none of them.
std::optional<token_usage> read_openai_usage(json::scanner& s, std::string_view prompt, std::string_view completion);

} // namespace turnout::codec
