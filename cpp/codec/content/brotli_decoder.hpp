#pragma once

#include <memory>

#include <brotli/decode.h>

#include "codec/content/decoder.hpp"

namespace turnout::codec {

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
