#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <sys/epoll.h>
#include <time.h>

namespace turnout::fast {

/// Owns a file descriptor.
class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int number) : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor();

    [[nodiscard]] int number() const { return number_; }

private:
    int number_ = -1;
};

/// Throws std::system_error with errno when `result` is negative, and returns it otherwise.
int checked(int result, const char* what);

/// Listens on 127.0.0.1, without blocking; `port` may be 0.
[[nodiscard]] descriptor listen_on(std::uint16_t port);
[[nodiscard]] std::uint16_t port_of(const descriptor& listener);

/// A connection without blocking and without delay, or none when nobody waits to be accepted.
[[nodiscard]] descriptor accept_from(const descriptor& listener);

/// Connects to 127.0.0.1 and waits for it; what follows on the connection does not block.
[[nodiscard]] descriptor connect_to(std::uint16_t port);

/// Thousands of streams need thousands of descriptors: takes all that the hard limit allows.
void raise_descriptor_limit();

/// Readiness, level-triggered, told by the descriptors' numbers.
class poller {
public:
    poller();

    void add(int fd, std::uint32_t events) { control(EPOLL_CTL_ADD, fd, events); }
    void change(int fd, std::uint32_t events) { control(EPOLL_CTL_MOD, fd, events); }

    /// What is ready; waits for it no longer than `timeout`, or for ever when that is null.
    [[nodiscard]] std::span<const epoll_event> wait(const timespec* timeout = nullptr);

private:
    void control(int operation, int fd, std::uint32_t events);

    descriptor epoll_;
    std::vector<epoll_event> ready_;
};

} // namespace turnout::fast
