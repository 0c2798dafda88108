#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "codec/content/coding.hpp"

namespace turnout::codec {

/// Decodes one body from pieces split anywhere, a bounded piece at a time, however much the bytes may expand to. What
/// the other side flushed comes out as soon as it has been put in.
class content_decoder {
public:
    static constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

    content_decoder();
    virtual ~content_decoder();
    content_decoder(const content_decoder&) = delete;
    content_decoder& operator=(const content_decoder&) = delete;

    /// Consumes a prefix of `input`, which is shortened, and returns what it decodes to: at most `piece_bytes`, valid
    /// until the next call. Call it until it returns nothing, even when `input` is empty by then; then more is needed,
    /// or the body is `corrupt`. Bytes after the body's end make it corrupt.
    std::string_view next(std::string_view& input);

    /// The bytes so far are not in this coding. What came before has been returned, save what brotli's decoder was given
    /// in the same piece.
    bool corrupt() const { return corrupt_; }
    /// The body may end here: no byte has been seen, or the coding's own end.
    virtual bool whole() const = 0;

protected:
    /// Decodes from `input` to the front of `room` and returns how much. Stops when either is used up.
    virtual std::size_t decode(std::string_view& input, char* room, std::size_t size) = 0;
    void give_up() { corrupt_ = true; }

private:
    std::unique_ptr<char[]> piece_;
    bool corrupt_ = false;
};

/// Null for what is none, several or unknown. A brotli body makes its decoder hold what its sender looks back on, up to
/// 4 MiB: one that looks further is corrupt. The others stay below 128 KiB.
std::unique_ptr<content_decoder> make_content_decoder(content_coding coding);

} // namespace turnout::codec
