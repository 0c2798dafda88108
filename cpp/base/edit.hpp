#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace turnout::base {

/// Replace `length` bytes at `offset` by `text`. Lists are sorted by offset and do not overlap.
struct edit {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string text;
};

using edit_list = std::vector<edit>;

} // namespace turnout::base
