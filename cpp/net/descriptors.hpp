#pragma once

#include <cstddef>

namespace turnout::net {

/// How many descriptors this process may have open (the soft limit of RLIMIT_NOFILE).
std::size_t descriptor_limit();
/// Raises that limit as far as the system lets the process do it itself.
void raise_descriptor_limit();
/// How many are open now.
std::size_t open_descriptors();

} // namespace turnout::net
