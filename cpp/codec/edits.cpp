#include "codec/edits.hpp"

#include <algorithm>
#include <utility>

namespace turnout::codec {
namespace {

template <typename Piece>
void for_each_piece(std::string_view body, const base::edit_list& edits, std::size_t from, std::size_t to,
                    Piece piece) {
    to = std::min(to, body.size());
    for (const base::edit& e : edits) {
        if (e.offset > from) piece(body.substr(from, e.offset - from));
        if (!e.text.empty()) piece(std::string_view(e.text));
        from = e.offset + e.length;
    }
    if (to > from) piece(body.substr(from, to - from));
}

} // namespace

std::size_t edited_size(std::string_view body, const base::edit_list& edits, std::size_t from, std::size_t to) {
    std::size_t size = 0;
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { size += piece.size(); });
    return size;
}

void apply(std::string_view body, const base::edit_list& edits, std::string& out, std::size_t from, std::size_t to) {
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { out += piece; });
}

void gather(std::string_view body, const base::edit_list& edits, std::vector<std::string_view>& pieces,
            std::size_t from, std::size_t to) {
    for_each_piece(body, edits, from, to, [&](std::string_view piece) { pieces.push_back(piece); });
}

void insert_sorted(base::edit_list& edits, base::edit e) {
    const auto place =
        std::upper_bound(edits.begin(), edits.end(), e.offset,
                         [](std::size_t offset, const base::edit& other) { return offset < other.offset; });
    edits.insert(place, std::move(e));
}

} // namespace turnout::codec
