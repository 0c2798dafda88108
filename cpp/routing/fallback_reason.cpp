#include "routing/fallback_reason.hpp"

namespace turnout::routing {

std::string_view to_string(fallback_reason r) {
    switch (r) {
    case fallback_reason::general: return "general";
    case fallback_reason::context_window: return "context_window";
    case fallback_reason::content_policy: return "content_policy";
    }
    return {};
}

} // namespace turnout::routing
