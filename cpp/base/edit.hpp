#pragma once

#include <cstddef>
#include <string_view>

#include <boost/container/small_vector.hpp>

namespace turnout::base {

/// Replace `length` bytes at `offset` by `text`, which whoever makes the edit keeps alive.
struct edit {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string_view text;
};

/// Sorted by offset, without overlaps. The usual few need no memory of their own.
using edit_list = boost::container::small_vector<edit, 3>;

} // namespace turnout::base
