#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace turnout::codec::websocket {

/// Cuts a peer's bytes where a reader of frames needs them cut, so that it reads the same however they came: a frame's
/// header is one piece, a close frame is one with its payload, and other payloads are handed on as they come.
class frame_pieces {
public:
    struct piece {
        std::string_view bytes;      ///< until the next call; empty when more have to come first
        std::uint64_t announced = 0; ///< bytes of payload of the frame that begins here, if it carries text
        bool broken = false;         ///< a frame begins here that no endpoint may send, whatever is in it
        bool farewell = false;       ///< it is a whole close frame
    };

    /// Takes the next piece off `bytes`, or all of them when they are only part of one.
    piece next(std::string_view& bytes);
    bool between_frames() const { return size_ == 0 && payload_left_ == 0; }

private:
    static constexpr std::size_t longest_header = 14;
    static constexpr std::size_t longest_control_payload = 125;

    std::uint64_t read_header();
    bool is_broken() const;

    std::array<char, longest_header + longest_control_payload> held_{};
    std::size_t size_ = 0;           ///< of what is held
    std::size_t needed_ = 2;         ///< of what is held before it is handed on, as far as that is known
    std::uint64_t payload_left_ = 0; ///< of the frame that is handed on
};

} // namespace turnout::codec::websocket
