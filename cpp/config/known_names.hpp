#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace turnout::config {

/// The one of `known` that `name` was probably meant as: in another case, with other separators of its words, or with a
/// slip of the pen in every three letters. The first of those that are equally near; empty if none is.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// `a, b, c`.
std::string join_names(const std::vector<std::string_view>& names);

} // namespace turnout::config
