#include "routing/retry_wait.hpp"

#include <algorithm>

namespace turnout::routing {

base::duration backoff(unsigned nth) {
    using namespace std::chrono_literals;
    constexpr base::duration first = 500ms;
    constexpr unsigned doublings = 4; // up to 8 s
    return first * (1 << std::min(nth > 0 ? nth - 1 : 0U, doublings));
}

base::duration with_jitter(base::duration least, double unit) {
    constexpr double share = 0.25;
    return least + base::duration(static_cast<base::duration::rep>(static_cast<double>(least.count()) * share * unit));
}

} // namespace turnout::routing
