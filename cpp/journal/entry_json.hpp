#pragma once

#include <string>
#include <string_view>

#include "journal/entry.hpp"

namespace turnout::journal {

/// Appends what a row has no column for as a JSON object without spaces: all of `e` but number, request id, start and
/// duration. Most members that are empty, 0 or false are left out.
void write_details(std::string& out, const request_entry& e);

/// The bytes of that member in such an object, and of nothing else in it: quotes inside texts are escaped.
/// `value` is not empty.
std::string member(std::string_view name, std::string_view value);
/// Likewise for `stream` and `degraded`.
std::string member(std::string_view name, bool value);

} // namespace turnout::journal
