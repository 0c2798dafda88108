#pragma once

#include <memory>
#include <optional>
#include <string>

#include <openssl/ssl.h>

namespace turnout::net {

struct ssl_deleter {
    void operator()(SSL* s) const { SSL_free(s); }
    void operator()(SSL_CTX* c) const { SSL_CTX_free(c); }
};
using ssl_ptr = std::unique_ptr<SSL, ssl_deleter>;
using ssl_context_ptr = std::unique_ptr<SSL_CTX, ssl_deleter>;

/// How this server's loops use OpenSSL, toward clients and upstreams alike.
void prepare_for_events(SSL_CTX* context);

/// Why a file cannot be read, with its name, or nothing.
std::optional<std::string> reading_problem(const std::string& path);

/// TLS 1.2 or later toward upstreams, certificates verified against the system's authorities (or `SSL_CERT_FILE`).
ssl_context_ptr make_client_context();

/// What is wrong with a PEM file of authorities, or nothing.
std::optional<std::string> authorities_problem(const std::string& file);

/// A client session over a connected non-blocking descriptor: sends `host` as server name and checks the certificate
/// against it. Null when memory is out.
ssl_ptr make_client_session(SSL_CTX* context, int descriptor, const std::string& host);

/// Why the handshake failed, in one sentence for the log.
std::string handshake_problem(const SSL* session);

} // namespace turnout::net
