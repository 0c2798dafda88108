#pragma once

#include <cstdint>

#include "base/time.hpp"

namespace turnout::bindings {

/// Python counts whole milliseconds on a time line of the script's own.
inline std::int64_t rounded_up_ms(base::duration d) { return std::chrono::ceil<base::milliseconds>(d).count(); }

inline std::int64_t milliseconds_of(base::instant t) {
    return std::chrono::duration_cast<base::milliseconds>(t.time_since_epoch()).count();
}

} // namespace turnout::bindings
