#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fake_upstreams/fast/sockets.hpp"
#include "fake_upstreams/fast/stream_reader.hpp"

namespace turnout::fast {

/// Asks for one stream after the other on one connection, and notes how long each first token takes from the request on,
/// and each other one from its step on. The upstream makes a step when it is told to, by a connection of its own, which
/// is as soon as the token before has come: so that a gap between two tokens is the way of one, and no pause.
class stopwatch {
public:
    struct ports {
        std::uint16_t streams;
        std::uint16_t steps; ///< of the upstream
    };

    /// `tokens` has each stream, of which the last brings its end.
    stopwatch(ports at, protocol spoken, std::string_view model, std::string_view named, std::uint64_t tokens);

    /// Throws std::runtime_error when a stream brings something else than it must.
    void time_one_stream();

    [[nodiscard]] std::vector<std::int64_t>& first_tokens() { return first_tokens_; } ///< nanoseconds
    [[nodiscard]] std::vector<std::int64_t>& gaps() { return gaps_; }                 ///< nanoseconds

private:
    using clock = std::chrono::steady_clock;

    void read_until(stream_reader& reader, std::uint64_t tokens);

    descriptor stream_;
    descriptor steps_;
    expected_stream expected_;
    std::string request_;
    std::uint64_t tokens_;
    std::vector<std::int64_t> first_tokens_;
    std::vector<std::int64_t> gaps_;
};

} // namespace turnout::fast
