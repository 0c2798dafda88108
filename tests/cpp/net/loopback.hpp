#pragma once

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <boost/asio/io_context.hpp>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/clock.hpp"
#include "net/loop.hpp"

namespace turnout::net {

/// Turns a loop by hand on the test's thread. Loopback delivers within the call that sends, so that what is ready after
/// a turn is all there is: `turn` proves that nothing happens, `until` waits for what the kernel does in its own time.
class hand_turned {
public:
    explicit hand_turned(loop& l) : loop_(l) {}

    void turn() {
        for (int quiet = 0; quiet < 3;) quiet = loop_.context().poll() == 0 ? quiet + 1 : 0;
    }

    /// Turns until `done` says so. False, and a failure of the test, if that takes unreasonably long.
    template <class Predicate>
    bool until(Predicate done) {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!done()) {
            if (std::chrono::steady_clock::now() > give_up) {
                ADD_FAILURE() << "what the test waits for does not happen";
                return false;
            }
            loop_.context().run_one_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    /// Moves the manual clock and fires what is due.
    void pass(base::duration d) {
        loop_.time().move_to(loop_.now() + d);
        loop_.expire();
        turn();
    }

private:
    loop& loop_;
};

/// A TCP socket of the other side, which the test drives byte by byte. Never blocks.
class raw_socket {
public:
    raw_socket() = default;
    explicit raw_socket(int descriptor) : descriptor_(descriptor) {
        if (descriptor_ < 0) throw std::runtime_error("no socket");
        const int on = 1;
        ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
    }
    raw_socket(raw_socket&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)),
          got_(std::move(other.got_)),
          ended_(other.ended_),
          reset_(other.reset_) {}
    raw_socket& operator=(raw_socket&& other) noexcept {
        if (this != &other) {
            close();
            descriptor_ = std::exchange(other.descriptor_, -1);
            got_ = std::move(other.got_);
            ended_ = other.ended_;
            reset_ = other.reset_;
        }
        return *this;
    }
    ~raw_socket() { close(); }

    /// Connects to 127.0.0.1. A receive buffer of few bytes makes a slow reader.
    static raw_socket to(std::uint16_t port, int receive_buffer = 0) {
        const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (receive_buffer > 0) ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_port = htons(port);
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(descriptor, reinterpret_cast<sockaddr*>(&where), sizeof where) != 0)
            throw std::runtime_error("the port does not listen");
        return raw_socket(descriptor);
    }

    bool open() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    /// Sends as much as the kernel takes and says how much that was.
    std::size_t send(std::string_view bytes) {
        const auto n = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        return n > 0 ? static_cast<std::size_t>(n) : 0;
    }

    /// Reads what is there, at most `limit` bytes; everything read so far.
    const std::string& read(std::size_t limit = std::size_t{1} << 30U) {
        char buffer[16 * 1024];
        while (limit > 0 && !ended_) {
            const auto n = ::recv(descriptor_, buffer, std::min(limit, sizeof buffer), 0);
            if (n > 0) {
                got_.append(buffer, static_cast<std::size_t>(n));
                limit -= static_cast<std::size_t>(n);
                continue;
            }
            if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
            ended_ = true;
            reset_ = n < 0;
        }
        return got_;
    }
    bool has(std::string_view text) { return read().find(text) != std::string::npos; }
    /// Whether the other side closed in its direction; reset included.
    bool ended() {
        read();
        return ended_;
    }
    bool was_reset() const { return reset_; }
    /// Forgets what was read, and answers it.
    std::string take() {
        read();
        return std::exchange(got_, {});
    }

    void half_close() { ::shutdown(descriptor_, SHUT_WR); }
    void close() {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }
    void reset() {
        const linger now{1, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close();
    }

private:
    int descriptor_ = -1;
    std::string got_;
    bool ended_ = false;
    bool reset_ = false;
};

/// A listening port of the other side.
class raw_listener {
public:
    explicit raw_listener(int receive_buffer = 0) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_buffer > 0)
            ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        if (::bind(descriptor_, reinterpret_cast<sockaddr*>(&where), size) != 0 || ::listen(descriptor_, 64) != 0
            || ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&where), &size) != 0)
            throw std::runtime_error("no port to listen on");
        port_ = ntohs(where.sin_port);
        ::fcntl(descriptor_, F_SETFL, O_NONBLOCK);
    }
    raw_listener(const raw_listener&) = delete;
    raw_listener& operator=(const raw_listener&) = delete;
    ~raw_listener() { close(); }

    std::uint16_t port() const { return port_; }
    /// Nobody listens any more: a connect is refused.
    void close() {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }
    /// The next connection, if there is one.
    bool accept(raw_socket& into) {
        const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0) return false;
        into = raw_socket(descriptor);
        return true;
    }

private:
    int descriptor_;
    std::uint16_t port_ = 0;
};

} // namespace turnout::net
