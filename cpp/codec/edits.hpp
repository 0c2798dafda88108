#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/edit.hpp"

namespace turnout::codec {

/// `edits` must be sorted by offset, must not overlap and must lie inside `body`; offsets count from its first byte.
/// To take only a part of a body (say, without the blank space around it), give its range in `from` and `to`.

/// Bytes that `apply` will append.
std::size_t edited_size(std::string_view body, const base::edit_list& edits, std::size_t from = 0,
                        std::size_t to = std::string_view::npos);

/// Appends the edited body to `out`.
void apply(std::string_view body, const base::edit_list& edits, std::string& out, std::size_t from = 0,
           std::size_t to = std::string_view::npos);

/// Appends the pieces of the edited body, in order and none of them empty, for one scattered write. They view `body`
/// and the edits' texts.
void gather(std::string_view body, const base::edit_list& edits, std::vector<std::string_view>& pieces,
            std::size_t from = 0, std::size_t to = std::string_view::npos);

/// Puts `e` where it belongs in a sorted list.
void insert_sorted(base::edit_list& edits, base::edit e);

} // namespace turnout::codec
