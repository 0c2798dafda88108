#pragma once

#include <memory>

#include <brotli/decode.h>

#include "codec/content/decoder.hpp"

namespace turnout::codec {

/// How far a body may look back: 4 MiB, which is what encoders choose by themselves. Its decoder keeps as much.
inline constexpr unsigned brotli_window_limit = 22;
/// What the first byte of a body says about that: 10 to 24, or 0 where no body begins so.
unsigned brotli_window_bits(unsigned char first);

class brotli_decoder final : public content_decoder {
public:
    /// Throws std::bad_alloc.
    brotli_decoder();
    bool whole() const override;

protected:
    std::size_t decode(std::string_view& input, char* room, std::size_t size) override;

private:
    struct deleter {
        void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
    };

    std::unique_ptr<BrotliDecoderState, deleter> state_;
    bool begun_ = false;
};

} // namespace turnout::codec
