#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <brotli/encode.h>
#include <zlib.h>

namespace turnout::codec {

/// `text` as zlib writes it with this window (see deflateInit2), flushed after `flushed` bytes.
inline std::string deflated(std::string_view text, int window, std::size_t flushed = 0) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("deflateInit2");
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(flushed);
    if (flushed > 0) deflate(&stream, Z_SYNC_FLUSH);
    stream.avail_in = static_cast<uInt>(text.size() - flushed);
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (!done) throw std::runtime_error("deflate");
    return out;
}

inline std::string gzipped(std::string_view text) { return deflated(text, 16 + MAX_WBITS); }
inline std::string zlib_deflated(std::string_view text) { return deflated(text, MAX_WBITS); }
inline std::string raw_deflated(std::string_view text) { return deflated(text, -MAX_WBITS); }

/// `window` is the power of two of how far the encoder looks back.
inline std::string brotli_with_window(std::string_view text, int window) {
    std::string out(BrotliEncoderMaxCompressedSize(text.size()) + 64, '\0');
    auto size = out.size();
    if (BrotliEncoderCompress(5, window, BROTLI_MODE_GENERIC, text.size(),
                              reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                              reinterpret_cast<std::uint8_t*>(out.data()))
        == BROTLI_FALSE)
        throw std::runtime_error("BrotliEncoderCompress");
    out.resize(size);
    return out;
}

inline std::string brotli_encoded(std::string_view text) { return brotli_with_window(text, BROTLI_DEFAULT_WINDOW); }

} // namespace turnout::codec
