#include "fake_upstreams/fast/stopwatch.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>

#include <poll.h>
#include <sys/socket.h>

namespace turnout::fast {
namespace {

void send_all(const descriptor& socket, std::string_view bytes) {
    if (send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) {
        throw std::runtime_error("a request or a step could not be sent");
    }
}

} // namespace

stopwatch::stopwatch(ports at, protocol spoken, std::string_view model, std::string_view named, std::uint64_t tokens)
    : stream_(connect_to(at.streams)),
      steps_(connect_to(at.steps)),
      expected_(spoken, named, tokens),
      request_(request_for(spoken, model, "stepped " + std::to_string(tokens))),
      tokens_(tokens) {
    send_all(steps_, "POST /step HTTP/1.1\r\nhost: bench\r\n\r\n");
}

void stopwatch::time_one_stream() {
    stream_reader reader(expected_);
    auto before = clock::now();
    const auto next = [&](std::vector<std::int64_t>& notes) {
        const auto now = clock::now();
        notes.push_back(std::chrono::nanoseconds(now - before).count());
        before = now;
    };
    send_all(stream_, request_);
    read_until(reader, 1);
    next(first_tokens_);
    for (std::uint64_t token = 2; token <= tokens_; ++token) {
        send_all(steps_, ".");
        read_until(reader, token);
        next(gaps_);
    }
    while (!reader.over()) read_until(reader, tokens_ + 1);
}

/// Or until the stream is over. The last token may bring its end along.
void stopwatch::read_until(stream_reader& reader, std::uint64_t tokens) {
    static std::array<char, 64 * 1024> buffer;
    while (reader.tokens() < tokens && !reader.over()) {
        std::array<pollfd, 2> came{pollfd{stream_.number(), POLLIN, 0}, pollfd{steps_.number(), POLLIN, 0}};
        checked(poll(came.data(), came.size(), -1), "poll");
        if (came[1].revents != 0) throw std::runtime_error("the upstream takes no steps");
        const ssize_t count = recv(stream_.number(), buffer.data(), buffer.size(), 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count == 0) throw std::runtime_error("a stream's connection was closed");
        checked(static_cast<int>(count), "recv");
        const std::string problem = reader.take({buffer.data(), static_cast<std::size_t>(count)});
        if (!problem.empty()) throw std::runtime_error(problem);
    }
}

} // namespace turnout::fast
