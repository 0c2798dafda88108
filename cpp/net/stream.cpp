#include "net/stream.hpp"

#include <array>
#include <cerrno>
#include <string_view>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>

namespace turnout::net {
namespace {

io_outcome failed_with(int error, io_status when_blocked) {
    if (error == EAGAIN || error == EWOULDBLOCK) return {when_blocked, 0};
    return {io_status::error, 0};
}

constexpr std::size_t record_bytes = std::size_t{16} * 1024; // what one TLS record holds

std::string_view view_of(const iovec& piece) { return {static_cast<const char*>(piece.iov_base), piece.iov_len}; }

} // namespace

void stream::prepare() {
    boost::system::error_code ignored;
    socket_.native_non_blocking(true, ignored);
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
}

void stream::forget_waits() {
    boost::system::error_code error;
    const auto protocol = socket_.local_endpoint(error).protocol();
    if (error) return; // reset by its peer: the first read or write says so
    tcp_socket same(socket_.get_executor());
    const auto descriptor = socket_.release(error);
    same.assign(protocol, descriptor, error);
    socket_ = std::move(same);
    socket_.native_non_blocking(true, error);
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
    if (result != 1) return tls_outcome(result);
    session_has_more_ = SSL_has_pending(session_.get()) == 1; // the peer may have sent more with its last message
    return {};
}

io_outcome stream::read(std::span<char> into) {
    if (session_) return read_tls(into);
    for (;;) {
        const ssize_t n = ::recv(socket_.native_handle(), into.data(), into.size(), 0);
        if (n > 0) return {io_status::ok, static_cast<std::size_t>(n)};
        if (n == 0) return {io_status::eof, 0};
        if (errno != EINTR) return failed_with(errno, io_status::wait_read);
    }
}

io_outcome stream::read_tls(std::span<char> into) {
    io_outcome total;
    do {
        ERR_clear_error();
        std::size_t bytes = 0;
        const int result = SSL_read_ex(session_.get(), into.data() + total.bytes, into.size() - total.bytes, &bytes);
        if (result != 1) {
            session_has_more_ = false; // at most a part of a record: the rest of it makes the socket readable
            const auto outcome = tls_outcome(result);
            if (total.bytes == 0) return outcome;
            // An end is told again by the next read.
            session_has_more_ = outcome.status == io_status::eof || outcome.status == io_status::error;
            return total;
        }
        total.bytes += bytes;
        session_has_more_ = SSL_has_pending(session_.get()) == 1;
    } while (session_has_more_ && total.bytes < into.size());
    return total;
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

// Each call to OpenSSL makes a record with overhead of its own and a system call: small pieces leave together.
io_outcome stream::write_tls(std::span<const iovec> pieces) {
    std::array<char, record_bytes> gathered; // NOLINT(*-member-init): filled as far as it is used
    io_outcome total;
    std::size_t skip = 0; // of the first piece: what has left already
    while (!pieces.empty()) {
        std::string_view next = view_of(pieces.front()).substr(skip);
        std::size_t count = 1;
        if (next.size() < gathered.size()) {
            std::size_t filled = next.copy(gathered.data(), next.size());
            while (count < pieces.size() && filled < gathered.size())
                filled += view_of(pieces[count++]).copy(gathered.data() + filled, gathered.size() - filled);
            next = {gathered.data(), filled};
        }
        std::size_t bytes = 0;
        if (!next.empty()) {
            ERR_clear_error();
            const int result = SSL_write_ex(session_.get(), next.data(), next.size(), &bytes);
            if (result != 1) {
                const auto outcome = tls_outcome(result);
                return {outcome.status, total.bytes};
            }
        }
        total.bytes += bytes;
        skip += bytes;
        while (!pieces.empty() && skip >= pieces.front().iov_len) {
            skip -= pieces.front().iov_len;
            pieces = pieces.subspan(1);
        }
    }
    return total;
}

bool stream::hung_up() const {
    pollfd watched{const_cast<tcp_socket&>(socket_).native_handle(), POLLRDHUP, 0};
    return ::poll(&watched, 1, 0) > 0;
}

void stream::shut_down_writes() {
    boost::system::error_code ignored;
    if (session_) {
        ERR_clear_error();
        SSL_shutdown(session_.get());
    }
    socket_.shutdown(tcp_socket::shutdown_send, ignored);
}

void stream::close() {
    boost::system::error_code ignored;
    // Else OpenSSL would take the session for broken, and never resume it.
    if (session_) SSL_set_shutdown(session_.get(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    socket_.close(ignored);
}

void stream::reset() {
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
}

} // namespace turnout::net
