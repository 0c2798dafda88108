#include "fake_upstreams/fast/stream_client.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace turnout::fast {
namespace {

constexpr std::size_t read_bytes = 256 * 1024;
/// More at a time would overflow the queue of those that wait to be accepted, and measure the kernel's retries.
constexpr std::size_t opened_at_once = 64;

std::optional<std::size_t> count_of(std::string_view command, std::string_view word) {
    std::size_t count = 0;
    if (!command.starts_with(word)) return std::nullopt;
    const auto [end, error] = std::from_chars(command.data() + word.size(), command.data() + command.size(), count);
    return error == std::errc{} ? std::optional(count) : std::nullopt;
}

} // namespace

stream_client::stream_client(std::uint16_t port, protocol spoken, std::string_view model, std::string_view named,
                             std::string_view kind)
    : port_(port), expected_(spoken, named), request_(request_for(spoken, model, kind)) {
    poller_.add(STDIN_FILENO, EPOLLIN);
}

void stream_client::run() {
    while (true) {
        for (const epoll_event& event : poller_.wait()) {
            if (event.data.fd == STDIN_FILENO) {
                if (!obey_input()) return;
            } else if (const auto found = streams_.find(event.data.fd); found != streams_.end()) {
                read(found->first, found->second);
            }
        }
        if (opening_) open_more();
    }
}

bool stream_client::obey_input() {
    std::array<char, 256> bytes;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count == 0) return false;
    input_.append(bytes.data(), static_cast<std::size_t>(checked(static_cast<int>(count), "read of the input")));
    for (std::size_t end = input_.find('\n'); end != std::string::npos; end = input_.find('\n')) {
        const std::string command = input_.substr(0, end);
        input_.erase(0, end + 1);
        obey(command);
    }
    return true;
}

void stream_client::obey(std::string_view command) {
    if (command == "mark") {
        answer();
    } else if (command == "close") {
        streams_.clear();
        unread_.clear();
        wanted_ = without_token_ = 0;
        answer();
    } else if (const auto wanted = count_of(command, "open ")) {
        wanted_ = *wanted;
        opening_ = true;
    } else if (const auto unread = count_of(command, "leave ")) {
        leave(*unread);
        answer();
    } else {
        throw std::runtime_error("unknown command '" + std::string(command) + "'");
    }
}

void stream_client::open_more() {
    while (streams_.size() < wanted_ && without_token_ < opened_at_once) {
        descriptor socket = ask();
        const int fd = socket.number();
        poller_.add(fd, EPOLLIN);
        streams_.emplace(fd, stream{std::move(socket), stream_reader(expected_)});
        ++without_token_;
    }
    if (streams_.size() < wanted_ || without_token_ > 0) return;
    opening_ = false;
    answer();
}

descriptor stream_client::ask() const {
    descriptor socket = connect_to(port_);
    if (send(socket.number(), request_.data(), request_.size(), MSG_NOSIGNAL)
        != static_cast<ssize_t>(request_.size())) {
        throw std::runtime_error("the request could not be sent");
    }
    return socket;
}

/// Their first bytes stay in the sockets.
void stream_client::leave(std::size_t count) {
    while (unread_.size() < count) {
        unread_.push_back(ask());
        pollfd begun{.fd = unread_.back().number(), .events = POLLIN, .revents = 0};
        while (checked(poll(&begun, 1, -1), "poll") == 0) {}
    }
}

void stream_client::read(int fd, stream& from) {
    static std::array<char, read_bytes> buffer;
    const ssize_t count = recv(fd, buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count == 0) throw std::runtime_error("a stream's connection was closed");
    checked(static_cast<int>(count), "recv");
    const std::uint64_t before = from.reader.tokens();
    const std::string problem = from.reader.take({buffer.data(), static_cast<std::size_t>(count)});
    if (!problem.empty()) throw std::runtime_error(problem);
    const std::uint64_t after = from.reader.tokens();
    tokens_ += after - before;
    if (before == 0 && after > 0) --without_token_;
}

void stream_client::answer() const {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::printf("{\"streams\": %zu, \"tokens\": %llu, \"nanoseconds\": %lld}\n", streams_.size(),
                static_cast<unsigned long long>(tokens_),
                static_cast<long long>(std::chrono::nanoseconds(now).count()));
    std::fflush(stdout);
}

} // namespace turnout::fast
