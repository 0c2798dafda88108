#include "net/server_connection.hpp"

namespace turnout::net {

using connection_ptr = boost::intrusive_ptr<server_connection>;

// The deadline of the first head is armed already and covers the handshake.
void server_connection::begin_handshake() {
    auto session = make_server_session(context_.options.tls.get(), stream_.socket().native_handle());
    if (!session) {
        close();
        return;
    }
    stream_.secure_with(std::move(session));
    phase_ = phase::handshaking;
    shake_hands();
}

void server_connection::shake_hands() {
    const auto outcome = stream_.handshake();
    switch (outcome.status) {
    case io_status::ok:
        phase_ = phase::head;
        arm_read();
        return;
    case io_status::wait_read:
    case io_status::wait_write:
        stream_.socket().async_wait(outcome.status == io_status::wait_read ? tcp_socket::wait_read
                                                                           : tcp_socket::wait_write,
                                    [self = connection_ptr(this)](const boost::system::error_code& e) {
                                        if (!e && self->phase_ == phase::handshaking) self->shake_hands();
                                    });
        return;
    case io_status::eof:
    case io_status::error: on_handshake_failed(); return;
    }
}

// OpenSSL has told the client why, as far as TLS has words for it.
void server_connection::on_handshake_failed() {
    const bool plain = spoke_plain_http();
    stream_.give_up_security();
    if (plain) {
        refuse(context_.handler.malformed(codec::http1::problem_kind::malformed,
                                          "This port speaks HTTPS only: use https:// instead of http://.", nullptr),
               false);
        return;
    }
    phase_ = phase::lingering;
    close_after_ = true;
    begin_linger();
}

} // namespace turnout::net
