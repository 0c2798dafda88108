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

} // namespace turnout::net
