#pragma once

#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace turnout::net {

/// How long after a kept connection was written to its loss may mean that it had been closed already.
inline constexpr base::duration stale_window = std::chrono::seconds(1);

/// Whether the loss of a kept connection says nothing about the request on it: `written` is when the last of it had left,
/// nothing while it is still leaving.
inline bool is_stale(std::optional<base::instant> written, base::instant now) {
    return !written || now - *written < stale_window;
}

} // namespace turnout::net
