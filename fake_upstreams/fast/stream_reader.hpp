#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace turnout::fast {

/// What a stream must consist of when its answers name this model.
struct expected_stream {
    explicit expected_stream(std::string_view model);

    std::string role;
    std::string tokens; // as many as one read may bring, and one more
    std::size_t token_bytes;
};

/// Takes apart one streamed answer and compares every byte of it with what must come.
class stream_reader {
public:
    explicit stream_reader(const expected_stream& expected) : expected_(expected) {}

    /// What is wrong with `bytes`; empty when nothing is.
    [[nodiscard]] std::string take(std::string_view bytes);

    /// Whole tokens that have come.
    [[nodiscard]] std::uint64_t tokens() const {
        return payload_ < expected_.role.size() ? 0 : (payload_ - expected_.role.size()) / expected_.token_bytes;
    }

private:
    enum class part { head, size, data, end_of_data };

    [[nodiscard]] std::string take_head(std::string_view& bytes);
    [[nodiscard]] std::string take_size(std::string_view& bytes);
    [[nodiscard]] std::string take_data(std::string_view& bytes);
    [[nodiscard]] std::string take_end_of_data(std::string_view& bytes);
    [[nodiscard]] std::string compare(std::string_view payload);

    const expected_stream& expected_;
    part part_ = part::head;
    std::string line_; // the head, a chunk's size or its end, as long as it is not whole
    std::size_t chunk_left_ = 0;
    std::uint64_t payload_ = 0;
};

} // namespace turnout::fast
