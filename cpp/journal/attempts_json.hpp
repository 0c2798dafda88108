#pragma once

#include <string>
#include <string_view>

#include "journal/entry.hpp"

namespace turnout::journal {

/// Appends attempts as a JSON array of objects, without spaces; members that are empty, 0 or false are left out.
void write_attempts(std::string& out, const attempt_list& attempts);

/// The bytes of that member in such an array, and of nothing else there: quotes inside texts are escaped.
std::string attempt_member(std::string_view name, std::string_view value);

} // namespace turnout::journal
