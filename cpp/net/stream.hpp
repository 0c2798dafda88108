#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <sys/uio.h>

#include "net/tls.hpp"

namespace turnout::net {

using tcp_socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

enum class io_status {
    ok,
    wait_read,  ///< nothing now: try again when readable
    wait_write, ///< nothing now: try again when writable
    eof,
    error,
};

/// How often an upstream's socket is read before others have their turn: one busy upstream must not keep the loop.
inline constexpr int reads_per_turn = 4;

struct io_outcome {
    io_status status = io_status::ok;
    std::size_t bytes = 0;
};

/// A connected socket, plain or TLS, driven by readiness: try first, wait only when the kernel says so.
class stream {
public:
    explicit stream(boost::asio::io_context& context) : socket_(context.get_executor()) {}
    explicit stream(tcp_socket&& accepted) : socket_(std::move(accepted)) {}

    tcp_socket& socket() { return socket_; }
    bool open() const { return socket_.is_open(); }
    bool secure() const { return session_ != nullptr; }

    /// After connect or accept: non-blocking, no delay.
    void prepare();
    /// After `prepare` of a socket that was waited for to become writable: as if it never had been. Asio would go on to
    /// watch for that with every wait to read, and each wait would end a turn of the loop for nothing.
    void forget_waits();
    void secure_with(ssl_ptr session) { session_ = std::move(session); }
    io_outcome handshake();
    /// After a handshake that failed: what follows is written and read as it is.
    void give_up_security() { session_.reset(); }
    /// Null without TLS.
    SSL* tls() const { return session_.get(); }

    io_outcome read(std::span<char> into);
    /// Writes as much as goes now. `bytes` may be less than asked for with status ok.
    io_outcome write(std::span<const iovec> pieces);
    /// True when bytes that came before the last read wait in the TLS session, so that the socket may not be readable.
    bool pending() const { return session_has_more_; }

    /// Calls `go_on(true)` in a later turn of the loop once there is something to read, `go_on(false)` if the wait ended
    /// otherwise.
    template <class GoOn>
    void when_readable(GoOn go_on) {
        if (pending()) {
            boost::asio::post(socket_.get_executor(), [go_on = std::move(go_on)] { go_on(true); });
        } else {
            socket_.async_wait(tcp_socket::wait_read,
                               [go_on = std::move(go_on)](const boost::system::error_code& e) { go_on(!e); });
        }
    }

    /// Whether the peer has closed or reset, also when what it sent before has not been read.
    bool hung_up() const;

    /// Nothing more will be written: says so, in the words of TLS too.
    void shut_down_writes();
    /// Closes now; a handler that waits gets `operation_aborted`.
    void close();
    /// Closes with a reset, so that the peer cannot take what it has for everything.
    void reset();

private:
    io_outcome tls_outcome(int result) const;
    io_outcome read_tls(std::span<char> into);
    io_outcome write_tls(std::span<const iovec> pieces);

    tcp_socket socket_;
    ssl_ptr session_;
    bool session_has_more_ = false;
};

} // namespace turnout::net
