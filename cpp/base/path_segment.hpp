#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace turnout::base {

/// Appends one segment of a path: all but unreserved characters (RFC 3986, 2.3) is percent-encoded.
void write_path_segment(std::string& out, std::string_view text);

/// What a part of a path stands for, percent-decoded; nothing if its encoding is broken.
std::optional<std::string> read_path_segment(std::string_view text);

} // namespace turnout::base
