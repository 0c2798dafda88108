#include "codec/content/brotli_decoder.hpp"

#include <cstdint>
#include <new>

namespace turnout::codec {

brotli_decoder::brotli_decoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (!state_) throw std::bad_alloc();
}

bool brotli_decoder::whole() const { return !begun_ || BrotliDecoderIsFinished(state_.get()) != 0; }

std::size_t brotli_decoder::decode(std::string_view& input, char* room, std::size_t size) {
    begun_ = begun_ || !input.empty();
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
