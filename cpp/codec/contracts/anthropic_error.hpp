#pragma once

#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// The type that Anthropic gives to errors with this HTTP status. What it has no type for is the client's mistake below
/// 500, and the API's own from there.
std::string_view anthropic_error_type(int status);

/// Appends `{"type":"error","error":{"type":...,"message":...},"request_id":...}`. The type follows the status, since
/// clients choose their exceptions by it.
void write_anthropic_error(std::string& out, const public_error& e, std::string_view request_id);

} // namespace turnout::codec
