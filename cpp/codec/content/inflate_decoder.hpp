#pragma once

#include <string>

#include <zlib.h>

#include "codec/content/decoder.hpp"

namespace turnout::codec {

/// What gzip and deflate share: zlib's state, and when it is at an end.
class inflate_decoder : public content_decoder {
public:
    ~inflate_decoder() override;
    bool whole() const override { return !begun_ || ended_; }

protected:
    /// `window` as zlib's inflateInit2 takes it. Throws std::bad_alloc.
    void open(int window);
    bool is_open() const { return open_; }
    /// Marks the body as begun.
    void begin() { begun_ = true; }
    /// `members`: after an end another body may begin, and both are one.
    std::size_t inflate_into(std::string_view& input, char* room, std::size_t size, bool members);

private:
    z_stream stream_{};
    bool open_ = false;
    bool begun_ = false;
    bool ended_ = false;
};

class gzip_decoder final : public inflate_decoder {
protected:
    std::size_t decode(std::string_view& input, char* room, std::size_t size) override;
};

class deflate_decoder final : public inflate_decoder {
protected:
    std::size_t decode(std::string_view& input, char* room, std::size_t size) override;

private:
    std::string head_; ///< the first two bytes, which tell whether zlib's header is there
};

} // namespace turnout::codec
