// A body in a content coding decodes to the same bytes however it is split, in pieces that are bounded; and what was
// encoded decodes to what it was.
//
// The first byte chooses the coding, and whether the rest is encoded already; the second is the size of the pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <zlib.h>

#include "codec/content/decoder.hpp"
#include "input.hpp"
#include "require.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::require;

/// A body that expands to more is left there.
constexpr std::size_t most = std::size_t{1} << 20U;

struct reading {
    std::string decoded;
    bool corrupt = false;
    bool whole = false;
    bool left = false;
    bool operator==(const reading&) const = default;
};

reading read(std::string_view bytes, std::size_t piece_size, content_coding coding) {
    const auto decoder = make_content_decoder(coding);
    reading found;
    fuzz::feed_in_pieces(bytes, piece_size, [&](std::string_view piece) {
        while (!found.left) {
            const auto decoded = decoder->next(piece);
            require(decoded.size() <= content_decoder::piece_bytes, "no piece is larger than it may be");
            if (decoded.empty()) break;
            found.decoded += decoded;
            found.left = found.decoded.size() > most;
        }
        require(found.left || decoder->corrupt() || piece.empty(), "all of the input is used up");
        return !found.left && !decoder->corrupt();
    });
    found.corrupt = decoder->corrupt();
    found.whole = !found.corrupt && decoder->whole();
    return found;
}

std::string encoded(std::string_view text, int window) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2");
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

void check_split(std::string_view bytes, std::size_t piece, content_coding coding) {
    const reading all = read(bytes, bytes.size(), coding);
    for (const std::size_t size : {piece, std::size_t{1}}) {
        const reading split = read(bytes, size, coding);
        if (all.left || split.left) {
            const auto common = std::min(all.decoded.size(), split.decoded.size());
            require(all.decoded.compare(0, common, split.decoded, 0, common) == 0, "a beginning is the same in pieces");
        } else if (coding == content_coding::brotli && all.corrupt) {
            // Its decoder keeps what it was given together with the corruption.
            require(split.corrupt && split.decoded.starts_with(all.decoded), "what is corrupt is so in pieces");
        } else {
            require(all == split, "a body decodes to the same in pieces");
        }
    }
}

void check_round(std::string_view text, std::size_t piece) {
    const auto half = text.size() / 2;
    const auto gzip = encoded(text.substr(0, half), 16 + MAX_WBITS) + encoded(text.substr(half), 16 + MAX_WBITS);
    const reading expected{std::string(text), false, true, false};
    require(read(gzip, piece, content_coding::gzip) == expected, "members of gzip are the text");
    for (const int window : {MAX_WBITS, -MAX_WBITS})
        require(read(encoded(text, window), piece, content_coding::deflate) == expected, "deflate is the text");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const auto choice = given.byte() % 4;
    const std::size_t piece = std::size_t{1} + given.byte();
    const std::string_view bytes = given.rest();
    switch (choice) {
    case 0: check_split(bytes, piece, content_coding::gzip); break;
    case 1: check_split(bytes, piece, content_coding::deflate); break;
    case 2: check_split(bytes, piece, content_coding::brotli); break;
    default: check_round(bytes, piece); break;
    }
    return 0;
}
