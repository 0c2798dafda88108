#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/tls.hpp"

namespace turnout::net {

/// What is wrong with a PEM file of authorities, or nothing.
std::optional<std::string> authorities_problem(const std::string& file);

/// What one loop's TLS connections to upstreams share: whom they believe, and the sessions that upstreams gave.
class tls_client {
public:
    /// TLS 1.2 or later. Certificates are verified against the authorities in `ca_file`, or the system's (or
    /// `SSL_CERT_FILE`) if it is empty; whether one was revoked is not asked. Throws std::runtime_error naming a file that
    /// cannot be used.
    explicit tls_client(const std::string& ca_file);
    ~tls_client();
    tls_client(const tls_client&) = delete;
    tls_client& operator=(const tls_client&) = delete;

    /// The client's end of one connection over a non-blocking descriptor: sends `host` as server name unless it is an
    /// address, checks the certificate against it, and offers to resume a session. Null when memory is out.
    ssl_ptr open(int descriptor, const std::string& host, std::uint16_t port);

    /// After a handshake that went well.
    void on_handshake(SSL* connection);

    /// Sessions that wait to be resumed.
    std::size_t kept() const;

private:
    struct sessions;

    sessions& sessions_of(const std::string& host, std::uint16_t port);
    static int keep(SSL* connection, SSL_SESSION* fresh);

    ssl_context_ptr context_;
    std::list<sessions> known_; // the last used first
    std::uintptr_t next_id_ = 1;
};

/// Why the handshake of this connection to an upstream failed, in one sentence for people who run the gateway.
std::string handshake_problem(const SSL* connection);

/// After a read that failed on this thread: what the upstream said by an alert, or nothing. In TLS 1.3 some refusals come
/// after the handshake.
std::optional<std::string> alert_problem();

} // namespace turnout::net
