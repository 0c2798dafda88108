#pragma once

#include <string_view>

namespace turnout::routing {

/// The HTTP status that an error inside a 2xx answer stands for: the number that it gives itself (0 if none), else a
/// number in its code, else by words in code and type, else 500. Code and type in lower case.
int inner_status(int own, std::string_view code, std::string_view type);

} // namespace turnout::routing
