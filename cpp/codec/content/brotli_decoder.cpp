#include "codec/content/brotli_decoder.hpp"

#include <cstdint>
#include <new>

namespace turnout::codec {

brotli_decoder::brotli_decoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (!state_) throw std::bad_alloc();
}

/// RFC 7932, 9.1: the first bits of a stream say how far it looks back, as a power of two. 0 where they are reserved.
unsigned brotli_window_bits(unsigned char first) {
    const unsigned bits = first;
    if ((bits & 1U) == 0) return 16;
    const unsigned large = (bits >> 1U) & 7U;
    if (large != 0) return 17 + large;
    const unsigned small = (bits >> 4U) & 7U;
    if (small == 0) return 17;
    return small == 1 ? 0 : 8 + small;
}

bool brotli_decoder::whole() const { return !begun_ || BrotliDecoderIsFinished(state_.get()) != 0; }

std::size_t brotli_decoder::decode(std::string_view& input, char* room, std::size_t size) {
    if (!begun_ && !input.empty()) {
        begun_ = true;
        if (brotli_window_bits(static_cast<unsigned char>(input.front())) > brotli_window_limit) {
            give_up();
            return 0;
        }
    }
    auto given = input.size();
    auto left = size;
    const auto* from = reinterpret_cast<const std::uint8_t*>(input.data());
    auto* to = reinterpret_cast<std::uint8_t*>(room);
    const auto outcome = BrotliDecoderDecompressStream(state_.get(), &given, &from, &left, &to, nullptr);
    input.remove_prefix(input.size() - given);
    switch (outcome) {
    case BROTLI_DECODER_RESULT_SUCCESS:
        if (!input.empty()) give_up();
        break;
    case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
    case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break;
    case BROTLI_DECODER_RESULT_ERROR: give_up(); break;
    }
    return size - left;
}

} // namespace turnout::codec
