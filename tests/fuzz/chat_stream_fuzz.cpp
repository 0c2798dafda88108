// A chat stream gives its client the same bytes however the upstream's bytes are split, and one that is complete gives
// what a client may see.
//
// The first byte chooses: bits 0 and 1 how many choices were asked for, bit 2 whether usage was; the second the size of
// the pieces. The rest is the upstream's stream.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/contracts/chat/chat.hpp"
#include "input.hpp"
#include "stream_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace turnout::fuzz;
    input given(data, size);
    const std::uint8_t choice = given.byte();
    const std::size_t piece = std::size_t{1} + given.byte();
    const std::string_view bytes = given.rest();
    const unsigned n = 1U + (choice & 3U);
    const bool wants_usage = (choice & 4U) != 0;
    constexpr std::string_view public_model = "gpt";

    const stream_reading whole =
        read_stream_in_all_ways(turnout::codec::chat::instance(), bytes, piece, tracking(public_model, n, wants_usage));
    if (whole.complete) check_chat_stream(whole.out, public_model, n, wants_usage);
    return 0;
}
