#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {

/// `payload` as one chunk of a chunked body.
[[nodiscard]] std::string chunk(std::string_view payload);

/// The tokens of a stream as one sequence of bytes without end, any part of which can be told from its place.
class token_bytes {
public:
    enum class framing { none, chunked };

    /// `longest`: no more bytes are asked for at once.
    token_bytes(token_text text, framing frame, std::size_t longest);

    struct place {
        std::uint64_t token = 0;
        std::size_t offset = 0; ///< in that token
    };
    static constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();

    /// At most `most` bytes from `at` on, none of them of the token `end`. Valid until the next call.
    [[nodiscard]] std::string_view from(place at, std::uint64_t end, std::size_t most);

    /// The place so many bytes behind `at`.
    [[nodiscard]] place after(place at, std::size_t bytes) const;

private:
    void append(std::uint64_t token, std::string& out) const;
    /// How many bytes `token` has, and how many from it on have as many.
    struct run {
        std::size_t size;
        std::uint64_t tokens;
    };
    [[nodiscard]] run run_from(std::uint64_t token) const;

    token_text text_;
    framing frame_;
    std::size_t longest_;
    std::string bytes_; ///< the same token again and again, or what was asked for last where each has its number
};

} // namespace turnout::fast
