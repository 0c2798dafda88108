#pragma once

#include <optional>

#include "base/time.hpp"
#include "codec/http1.hpp"

namespace turnout::gateway {

/// How long the upstream's answer asks to wait, from its headers.
std::optional<base::milliseconds> retry_hint(const codec::http1::head& head, base::wall_ms now);

} // namespace turnout::gateway
