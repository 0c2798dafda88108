#include "codec/websocket/frame_pieces.hpp"

#include <algorithm>

namespace turnout::codec::websocket {
namespace {

constexpr unsigned continuation = 0;
constexpr unsigned text = 1;
constexpr unsigned close = 8;

} // namespace

frame_pieces::piece frame_pieces::next(std::string_view& bytes) {
    if (payload_left_ > 0) {
        const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(payload_left_, bytes.size()));
        const std::string_view payload = bytes.substr(0, taken);
        bytes.remove_prefix(taken);
        payload_left_ -= taken;
        return {payload};
    }
    while (!bytes.empty()) {
        const std::size_t taken = std::min(needed_ - size_, bytes.size());
        bytes.copy(held_.data() + size_, taken);
        bytes.remove_prefix(taken);
        size_ += taken;
        if (size_ < needed_) break;
        const std::size_t before = needed_;
        const std::uint64_t announced = read_header();
        if (needed_ > before) continue;
        const bool broken = is_broken();
        const bool leaves = !broken && (static_cast<unsigned char>(held_[0]) & 0x0FU) == close;
        const piece whole{{held_.data(), size_}, announced, broken, leaves};
        size_ = 0;
        needed_ = 2;
        return whole;
    }
    return {};
}

/// Says how much has to be held, or what the frame announces when nothing lacks (RFC 6455, 5.2).
std::uint64_t frame_pieces::read_header() {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(held_[at]); };
    const unsigned opcode = byte(0) & 0x0FU;
    const bool masked = (byte(1) & 0x80U) != 0;
    const unsigned coded = byte(1) & 0x7FU;
    const std::size_t extended = coded == 126 ? 2 : coded == 127 ? 8 : 0;
    const std::size_t header = 2 + extended + (masked ? 4 : 0);
    const bool whole = opcode == close && extended == 0;
    needed_ = header + (whole ? coded : 0);
    if (size_ < needed_) return 0;
    std::uint64_t length = extended == 0 ? coded : 0;
    for (std::size_t i = 0; i < extended; ++i) length = length << 8U | byte(2 + i);
    payload_left_ = whole ? 0 : length;
    return opcode == continuation || opcode == text ? length : 0;
}

/// Of a header that is whole: a control frame in pieces or of more than 125 bytes, a size that is not written as short as it
/// can be, or a close frame with half a code (RFC 6455, 5.2, 5.5). The rest is the reader's.
bool frame_pieces::is_broken() const {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(held_[at]); };
    const bool whole = (byte(0) & 0x80U) != 0;
    const unsigned opcode = byte(0) & 0x0FU;
    const unsigned coded = byte(1) & 0x7FU;
    if (opcode >= close && (!whole || coded > 125)) return true;
    if (coded == 126) return payload_left_ < 126;
    if (coded == 127) return payload_left_ < 0x10000 || payload_left_ >> 63U != 0;
    return opcode == close && coded == 1;
}

} // namespace turnout::codec::websocket
