#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/edit.hpp"

namespace turnout::codec {

/// `edits` must be sorted by offset, must not overlap and must lie inside `body`; offsets count from its first byte.
/// To take only a part of a body (say, without the blank space around it), give its range in `from` and `to`.

/// Calls `piece` with the pieces of the edited body, in order and none of them empty. They view `body` and the edits' texts.
template <class Piece>
void for_each_piece(std::string_view body, const base::edit_list& edits, std::size_t from, std::size_t to,
                    Piece piece) {
    to = std::min(to, body.size());
    for (const base::edit& e : edits) {
        if (e.offset > from) piece(body.substr(from, e.offset - from));
        if (!e.text.empty()) piece(e.text);
        from = e.offset + e.length;
    }
    if (to > from) piece(body.substr(from, to - from));
}

/// Bytes that `apply` will append.
std::size_t edited_size(std::string_view body, const base::edit_list& edits, std::size_t from = 0,
                        std::size_t to = std::string_view::npos);

/// Appends the edited body to `out`.
void apply(std::string_view body, const base::edit_list& edits, std::string& out, std::size_t from = 0,
           std::size_t to = std::string_view::npos);

/// Appends the pieces of the edited body to a list of views, for one scattered write.
template <class Pieces>
void gather(std::string_view body, const base::edit_list& edits, Pieces& pieces, std::size_t from = 0,
            std::size_t to = std::string_view::npos) {
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { pieces.push_back(piece); });
}

/// Puts `e` where it belongs in a sorted list.
void insert_sorted(base::edit_list& edits, base::edit e);

} // namespace turnout::codec
