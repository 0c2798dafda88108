#include "net/descriptors.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include <sys/resource.h>

namespace turnout::net {

std::size_t descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<std::size_t>::max();
    return limit.rlim_cur;
}

void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t open_descriptors() {
    std::error_code e;
    std::filesystem::directory_iterator each("/proc/self/fd", e);
    std::size_t open = 0;
    for (; !e && each != std::filesystem::directory_iterator(); each.increment(e)) ++open;
    return open;
}

} // namespace turnout::net
