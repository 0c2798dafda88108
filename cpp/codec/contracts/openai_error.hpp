#pragma once

#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// Appends `{"error":{...}}` with all four members.
void write_openai_error(std::string& out, const public_error& e);

/// Appends the members of an error, without braces: `"message":...,"type":...,"param":...,"code":...`.
void write_openai_error_members(std::string& out, const public_error& e);

} // namespace turnout::codec
