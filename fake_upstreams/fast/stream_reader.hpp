#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fake_upstreams/fast/script.hpp"
#include "fake_upstreams/fast/tokens.hpp"

namespace turnout::fast {

/// What a stream must consist of when its answers name this model.
struct expected_stream {
    /// `tokens`: after so many the stream ends.
    expected_stream(protocol spoken, std::string_view model, std::uint64_t tokens = token_bytes::endless);

    std::string opening;
    token_bytes tokens;
    std::uint64_t last;
    std::string ending;
};

/// Takes apart one streamed answer and compares every byte of it with what must come. The id of a response may be any,
/// and is the same throughout.
class stream_reader {
public:
    explicit stream_reader(expected_stream& expected) : expected_(&expected) {}

    /// What is wrong with `bytes`; empty when nothing is.
    [[nodiscard]] std::string take(std::string_view bytes);

    /// Whole tokens that have come.
    [[nodiscard]] std::uint64_t tokens() const { return at_.token; }

    /// Whether the stream has ended as it must.
    [[nodiscard]] bool over() const { return part_ == part::over; }

private:
    enum class part { head, size, data, end_of_data, end, over };

    [[nodiscard]] std::string take_head(std::string_view& bytes);
    [[nodiscard]] std::string take_size(std::string_view& bytes);
    [[nodiscard]] std::string take_data(std::string_view& bytes);
    [[nodiscard]] std::string take_line_end(std::string_view& bytes, part next);
    [[nodiscard]] std::string compare(std::string_view payload);
    [[nodiscard]] std::string compare_text(std::string_view text, std::size_t& at, std::string_view& payload);
    [[nodiscard]] std::string compare_id(std::string_view& payload);
    [[nodiscard]] std::string compare_tokens(std::string_view& payload);
    [[nodiscard]] std::string difference(std::string_view came, std::string_view wanted) const;

    expected_stream* expected_;
    part part_ = part::head;
    std::string line_; // the head, a chunk's size or its end, as long as it is not whole
    std::size_t chunk_left_ = 0;
    std::uint64_t payload_ = 0;
    std::size_t opening_at_ = 0;
    token_bytes::place at_;
    std::size_t ending_at_ = 0;
    std::string id_;      // of the response
    std::string came_id_; // as far as it has come where it stands again
};

} // namespace turnout::fast
