#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "net/tls.hpp"

namespace turnout::net {

/// Shared by the listeners of all loops, so that a client is recognized on whichever it comes back.
using server_tls_context = std::shared_ptr<SSL_CTX>;

/// Why a certificate or its key cannot be used.
struct certificate_problem {
    enum class file : std::uint8_t { certificate, key };
    file of = file::certificate;
    std::string message; ///< what is wanted, with the file's name; nothing of its content
};

/// TLS 1.2 and 1.3 toward clients. The file of the certificate holds it first and then those that lead to an authority,
/// all in PEM; the key has no passphrase. Otherwise what is wrong with either file, at least one problem.
std::variant<server_tls_context, std::vector<certificate_problem>>
make_server_context(const std::string& certificate_file, const std::string& key_file);

/// The server's end of one connection over a non-blocking descriptor. Null when memory is out.
ssl_ptr make_server_session(SSL_CTX* context, int descriptor);

/// After a handshake that failed on this thread: whether the client spoke HTTP without TLS.
bool spoke_plain_http();

} // namespace turnout::net
