#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace turnout::bindings {

/// Python counts whole milliseconds on a time line of the script's own.
inline base::instant instant_of(std::int64_t ms) { return base::instant{base::milliseconds{ms}}; }

inline std::int64_t milliseconds_of(base::instant t) {
    return std::chrono::duration_cast<base::milliseconds>(t.time_since_epoch()).count();
}

} // namespace turnout::bindings
