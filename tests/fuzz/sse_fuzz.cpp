// A stream holds the events that the HTML standard says, however its bytes are split; where the decoder says that
// nothing is pending, something else may stand; and an event that is too large is one for every split.
//
// The first byte is the size of the pieces; the rest is the stream.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/sse.hpp"
#include "input.hpp"
#include "naive_sse.hpp"
#include "require.hpp"

namespace {

using namespace turnout;
using namespace turnout::codec;
using fuzz::naive_event;
using fuzz::require;

/// Limits that inputs reach, and one that none does.
constexpr std::size_t small = 24;
constexpr std::size_t large = std::size_t{1} << 24U;

struct reading {
    std::vector<naive_event> events;
    bool too_large = false;
    bool operator==(const reading&) const = default;
};

/// With `interrupt`, a comment stands wherever the decoder says that no part of an event is pending.
reading read(std::string_view bytes, std::size_t piece_size, std::size_t limit, bool interrupt = false) {
    sse::decoder decoder{limit};
    reading found;
    const auto take = [&](const sse::event& e) {
        found.events.push_back({std::string(e.name), std::string(e.data), e.has_data});
    };
    const auto feed = [&](std::string_view piece) {
        decoder.feed(piece);
        while (const auto e = decoder.next()) take(*e);
        return decoder.error() == sse::decoder_error::none;
    };
    fuzz::feed_in_pieces(bytes, piece_size, [&](std::string_view piece) {
        return feed(piece) && (!interrupt || !decoder.at_boundary() || feed(": keepalive\n\n"));
    });
    found.too_large = decoder.error() != sse::decoder_error::none;
    if (const auto e = decoder.finish()) {
        require(!found.too_large, "nothing follows an event that is too large");
        take(*e);
    }
    return found;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::input given(data, size);
    const std::size_t piece = std::size_t{1} + given.byte();
    const std::string_view bytes = given.rest();

    const reading whole = read(bytes, bytes.size(), large);
    require(!whole.too_large, "an event within the limit is not too large");
    require(whole.events == fuzz::read_naively(bytes), "the events are those of the standard");
    require(whole == read(bytes, piece, large), "a stream means the same in pieces");
    require(whole == read(bytes, 1, large), "a stream means the same byte by byte");
    require(whole == read(bytes, piece, large, true), "a comment between events changes none");

    const reading bounded = read(bytes, bytes.size(), small);
    require(bounded == read(bytes, piece, small), "too large is too large in pieces");
    require(bounded == read(bytes, 1, small), "too large is too large byte by byte");
    return 0;
}
