#include "gateway/retry_hint.hpp"

#include "routing/retry_after.hpp"

namespace turnout::gateway {

std::optional<base::milliseconds> retry_hint(const codec::http1::head& head, base::wall_ms now) {
    routing::retry_hints hints;
    for (const auto& [name, value] : head.headers()) hints.see(name, value);
    return hints.wait(now);
}

} // namespace turnout::gateway
