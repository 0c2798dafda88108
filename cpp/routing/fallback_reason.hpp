#pragma once

#include <string_view>

namespace turnout::routing {

/// Why a primary pool failed, which selects the fallback chain.
enum class fallback_reason { general, context_window, content_policy };
std::string_view to_string(fallback_reason r); ///< as configured, e.g. `context_window`

} // namespace turnout::routing
