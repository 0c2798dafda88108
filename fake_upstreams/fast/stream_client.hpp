#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fake_upstreams/fast/sockets.hpp"
#include "fake_upstreams/fast/stream_reader.hpp"

namespace turnout::fast {

/// Holds any number of streams open and checks all that they bring. What to do comes as lines on standard input, and
/// each is answered with a line of JSON on standard output:
///
///     open N   opens streams until there are N; answered when the first token of each has come
///     mark     says how many tokens have come so far
///     leave N  opens streams that nobody reads until there are N of them; answered when each has begun to come
///     close    closes all streams
///
/// The end of the input ends it.
class stream_client {
public:
    stream_client(std::uint16_t port, protocol spoken, std::string_view model, std::string_view named,
                  std::string_view kind);

    /// Throws std::runtime_error when a stream brings something else than it must, or ends.
    void run();

private:
    struct stream {
        descriptor socket;
        stream_reader reader;
    };

    [[nodiscard]] bool obey_input();
    void obey(std::string_view command);
    void open_more();
    [[nodiscard]] descriptor ask() const;
    void leave(std::size_t count);
    void read(int fd, stream& from);
    void answer() const;

    std::uint16_t port_;
    expected_stream expected_;
    std::string request_;
    poller poller_;
    std::string input_;
    std::unordered_map<int, stream> streams_;
    std::vector<descriptor> unread_;
    std::size_t wanted_ = 0;
    std::size_t without_token_ = 0;
    bool opening_ = false;
    std::uint64_t tokens_ = 0;
};

} // namespace turnout::fast
