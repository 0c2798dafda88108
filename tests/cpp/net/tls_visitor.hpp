#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "net/loopback.hpp"
#include "net/tls.hpp"

namespace turnout::net {

using session_ptr = std::shared_ptr<SSL_SESSION>;

/// The client's end of a TLS connection, which the test drives and which never blocks. It believes every certificate.
class tls_visitor {
public:
    struct manner {
        int least = TLS1_2_VERSION;
        int most = TLS1_3_VERSION;
        std::string_view protocols{}; ///< for ALPN, each after its length
        session_ptr known{};          ///< of an earlier visit
    };

    explicit tls_visitor(raw_socket&& socket) : tls_visitor(std::move(socket), manner{}) {}
    tls_visitor(raw_socket&& socket, const manner& m)
        : socket_(std::move(socket)), context_(SSL_CTX_new(TLS_client_method())) {
        SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSL_CTX_set_min_proto_version(context_.get(), m.least);
        SSL_CTX_set_max_proto_version(context_.get(), m.most);
        SSL_CTX_set_security_level(context_.get(), 0); // so that it can try what is too old
        SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_set_ex_data(context_.get(), 0, this);
        SSL_CTX_sess_set_new_cb(context_.get(), [](SSL* s, SSL_SESSION* fresh) {
            static_cast<tls_visitor*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(s), 0))
                ->ticket_.reset(fresh, SSL_SESSION_free);
            return 1;
        });
        session_.reset(SSL_new(context_.get()));
        SSL_set_fd(session_.get(), socket_.descriptor());
        SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(m.protocols.data()),
                            static_cast<unsigned>(m.protocols.size()));
        if (m.known) SSL_set_session(session_.get(), m.known.get());
        SSL_set_connect_state(session_.get());
    }
    tls_visitor(const tls_visitor&) = delete;
    tls_visitor& operator=(const tls_visitor&) = delete;

    /// Goes on with the handshake, and reads; everything read so far.
    const std::string& read() {
        char buffer[16 * 1024];
        std::size_t n = 0;
        ERR_clear_error();
        int result = 0;
        while ((result = SSL_read_ex(session_.get(), buffer, sizeof buffer, &n)) == 1) got_.append(buffer, n);
        const int error = SSL_get_error(session_.get(), result);
        if (error == SSL_ERROR_ZERO_RETURN) ended_ = true;
        if (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL) {
            failed_ = true;
            if (const char* reason = ERR_reason_error_string(ERR_peek_error()); reason != nullptr) reason_ = reason;
        }
        return got_;
    }
    std::string take() {
        read();
        return std::exchange(got_, {});
    }
    std::size_t send(std::string_view bytes) {
        std::size_t all = 0;
        std::size_t n = 0;
        ERR_clear_error();
        while (all < bytes.size() && SSL_write_ex(session_.get(), bytes.data() + all, bytes.size() - all, &n) == 1)
            all += n;
        return all;
    }

    bool greeted() {
        read();
        return SSL_is_init_finished(session_.get()) == 1;
    }
    /// Whether the other side said that it sends nothing more.
    bool ended() {
        read();
        return ended_;
    }
    /// Whether the connection broke, by an alert or by its end without a word.
    bool failed() {
        read();
        return failed_;
    }
    const std::string& reason() const { return reason_; }
    std::string_view protocol() const {
        const unsigned char* name = nullptr;
        unsigned length = 0;
        SSL_get0_alpn_selected(session_.get(), &name, &length);
        return {reinterpret_cast<const char*>(name), length};
    }
    std::string_view version() const { return SSL_get_version(session_.get()); }
    bool recognized() const { return SSL_session_reused(session_.get()) == 1; }
    /// What the server gave for the next visit.
    const session_ptr& ticket() const { return ticket_; }
    void shut_down() { SSL_shutdown(session_.get()); }
    raw_socket& socket() { return socket_; }

private:
    raw_socket socket_;
    ssl_context_ptr context_;
    ssl_ptr session_;
    session_ptr ticket_;
    std::string got_;
    std::string reason_;
    bool ended_ = false;
    bool failed_ = false;
};

} // namespace turnout::net
