#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace turnout::fuzz {

/// The bytes that a target was given: first those that choose its settings, then the text that it reads.
class input {
public:
    input(const std::uint8_t* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

    /// The next byte; 0 when none is left.
    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const auto taken = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return taken;
    }
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

/// Calls `feed` with pieces of at most `size` bytes, each in memory of its own, so that a look beyond its end is seen.
/// Stops when `feed` returns false.
template <typename Feed>
void feed_in_pieces(std::string_view bytes, std::size_t size, Feed feed) {
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, std::min(size, bytes.size()));
        bytes.remove_prefix(piece.size());
        const std::vector<char> copy(piece.begin(), piece.end());
        if (!feed(std::string_view(copy.data(), copy.size()))) return;
    }
}

} // namespace turnout::fuzz
