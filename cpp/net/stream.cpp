#include "net/stream.hpp"

#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>

namespace turnout::net {
namespace {

io_outcome failed_with(int error, io_status when_blocked) {
    if (error == EAGAIN || error == EWOULDBLOCK) return {when_blocked, 0};
    return {io_status::error, 0};
}

} // namespace

void stream::prepare() {
    boost::system::error_code ignored;
    socket_.native_non_blocking(true, ignored);
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
}

io_outcome stream::tls_outcome(int result) const {
    switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ: return {io_status::wait_read, 0};
    case SSL_ERROR_WANT_WRITE: return {io_status::wait_write, 0};
    case SSL_ERROR_ZERO_RETURN: return {io_status::eof, 0};
    default: return {io_status::error, 0};
    }
}

io_outcome stream::handshake() {
    ERR_clear_error();
    const int result = SSL_do_handshake(session_.get());
    return result == 1 ? io_outcome{} : tls_outcome(result);
}

io_outcome stream::read(std::span<char> into) {
    if (session_) {
        ERR_clear_error();
        std::size_t bytes = 0;
        const int result = SSL_read_ex(session_.get(), into.data(), into.size(), &bytes);
        return result == 1 ? io_outcome{io_status::ok, bytes} : tls_outcome(result);
    }
    for (;;) {
        const ssize_t n = ::recv(socket_.native_handle(), into.data(), into.size(), 0);
        if (n > 0) return {io_status::ok, static_cast<std::size_t>(n)};
        if (n == 0) return {io_status::eof, 0};
        if (errno != EINTR) return failed_with(errno, io_status::wait_read);
    }
}

io_outcome stream::write(std::span<const iovec> pieces) {
    if (session_) return write_tls(pieces);
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces.data()); // sendmsg does not write to it
    message.msg_iovlen = pieces.size();
    for (;;) {
        const ssize_t n = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL);
        if (n >= 0) return {io_status::ok, static_cast<std::size_t>(n)};
        if (errno != EINTR) return failed_with(errno, io_status::wait_write);
    }
}

io_outcome stream::write_tls(std::span<const iovec> pieces) {
    io_outcome total;
    for (const auto& piece : pieces) {
        if (piece.iov_len == 0) continue;
        ERR_clear_error();
        std::size_t bytes = 0;
        const int result = SSL_write_ex(session_.get(), piece.iov_base, piece.iov_len, &bytes);
        if (result != 1) {
            const auto outcome = tls_outcome(result);
            if (total.bytes > 0 && outcome.status != io_status::error) return total;
            return {outcome.status, total.bytes};
        }
        total.bytes += bytes;
        if (bytes < piece.iov_len) return total;
    }
    return total;
}

void stream::shut_down_writes() {
    boost::system::error_code ignored;
    if (session_) SSL_shutdown(session_.get());
    socket_.shutdown(tcp_socket::shutdown_send, ignored);
}

void stream::close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

void stream::reset() {
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
}

} // namespace turnout::net
