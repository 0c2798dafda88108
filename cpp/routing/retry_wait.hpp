#pragma once

#include <chrono>

#include "base/time.hpp"

namespace turnout::routing {

/// A provider that asks for more than this is not waited for (page 000, "Retries").
constexpr base::duration longest_retry_wait = std::chrono::seconds(60);

/// Before the `nth` wait of a logical request, counted from 1: 0.5 s, doubling up to 8 s.
base::duration backoff(unsigned nth);

/// `least` and up to a quarter of it more; `unit` is uniform in [0, 1).
base::duration with_jitter(base::duration least, double unit);

} // namespace turnout::routing
