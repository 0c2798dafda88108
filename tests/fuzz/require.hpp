#pragma once

#include <cstdio>
#include <cstdlib>

namespace turnout::fuzz {

/// Ends the process, which libFuzzer takes for a crash, with a sentence that says which property was broken.
inline void require(bool holds, const char* property) {
    if (!holds) {
        std::fprintf(stderr, "property: %s\n", property);
        std::abort();
    }
}

} // namespace turnout::fuzz
