#include "codec/content/decoder.hpp"

#include "codec/content/brotli_decoder.hpp"
#include "codec/content/inflate_decoder.hpp"

namespace turnout::codec {

content_decoder::content_decoder() : piece_(std::make_unique_for_overwrite<char[]>(piece_bytes)) {}

content_decoder::~content_decoder() = default;

std::string_view content_decoder::next(std::string_view& input) {
    if (corrupt_) return {};
    return {piece_.get(), decode(input, piece_.get(), piece_bytes)};
}

std::unique_ptr<content_decoder> make_content_decoder(content_coding coding) {
    switch (coding) {
    case content_coding::gzip: return std::make_unique<gzip_decoder>();
    case content_coding::deflate: return std::make_unique<deflate_decoder>();
    case content_coding::brotli: return std::make_unique<brotli_decoder>();
    case content_coding::none:
    case content_coding::several:
    case content_coding::unknown: return nullptr;
    }
    return nullptr;
}

} // namespace turnout::codec
