#pragma once

#include <string>
#include <string_view>

namespace turnout::base {

/// Appends one segment of a path: all but unreserved characters (RFC 3986, 2.3) is percent-encoded.
void write_path_segment(std::string& out, std::string_view text);

} // namespace turnout::base
