#include "codec/edits.hpp"

#include <algorithm>

namespace turnout::codec {
std::size_t edited_size(std::string_view body, const base::edit_list& edits, std::size_t from, std::size_t to) {
    std::size_t size = 0;
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { size += piece.size(); });
    return size;
}

void apply(std::string_view body, const base::edit_list& edits, std::string& out, std::size_t from, std::size_t to) {
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { out += piece; });
}

void insert_sorted(base::edit_list& edits, base::edit e) {
    const auto place =
        std::upper_bound(edits.begin(), edits.end(), e.offset,
                         [](std::size_t offset, const base::edit& other) { return offset < other.offset; });
    edits.insert(place, e);
}

} // namespace turnout::codec
