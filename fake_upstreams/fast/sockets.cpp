#include "fake_upstreams/fast/sockets.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace turnout::fast {
namespace {

constexpr int ready_at_once = 512;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void set_no_delay(int fd) {
    const int on = 1;
    checked(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
}

} // namespace

descriptor::~descriptor() {
    if (number_ >= 0) close(number_);
}

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

descriptor listen_on(std::uint16_t port) {
    descriptor listener(checked(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket"));
    const int on = 1;
    checked(setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), "SO_REUSEADDR");
    const sockaddr_in address = loopback(port);
    checked(bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
    checked(listen(listener.number(), SOMAXCONN), "listen");
    return listener;
}

std::uint16_t port_of(const descriptor& listener) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    checked(getsockname(listener.number(), reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    return ntohs(address.sin_port);
}

descriptor accept_from(const descriptor& listener) {
    const int fd = accept4(listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && (errno == EAGAIN || errno == ECONNABORTED)) return {};
    descriptor connection(checked(fd, "accept"));
    set_no_delay(connection.number());
    return connection;
}

descriptor connect_to(std::uint16_t port) {
    descriptor connection(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    const sockaddr_in address = loopback(port);
    checked(connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), "connect");
    set_no_delay(connection.number());
    checked(fcntl(connection.number(), F_SETFL, O_NONBLOCK), "O_NONBLOCK");
    return connection;
}

void raise_descriptor_limit() {
    rlimit limit{};
    checked(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
    limit.rlim_cur = limit.rlim_max;
    checked(setrlimit(RLIMIT_NOFILE, &limit), "setrlimit");
}

poller::poller() : epoll_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")), ready_(ready_at_once) {}

std::span<const epoll_event> poller::wait(const timespec* timeout) {
    const int count = epoll_pwait2(epoll_.number(), ready_.data(), ready_at_once, timeout, nullptr);
    if (count < 0 && errno == EINTR) return {};
    return {ready_.data(), static_cast<std::size_t>(checked(count, "epoll_pwait2"))};
}

void poller::control(int operation, int fd, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    checked(epoll_ctl(epoll_.number(), operation, fd, &event), "epoll_ctl");
}

} // namespace turnout::fast
