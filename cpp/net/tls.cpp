#include "net/tls.hpp"

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace turnout::net {
namespace {

bool is_address(const std::string& host) {
    in6_addr ignored{};
    return inet_pton(AF_INET, host.c_str(), &ignored) == 1 || inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
}

} // namespace

void prepare_for_events(SSL_CTX* context) {
    // Writes are repeated from a buffer that may have moved, and idle sessions give their buffers back.
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    // One system call for a record instead of one for its header and one for the rest.
    SSL_CTX_set_read_ahead(context, 1);
}

std::optional<std::string> reading_problem(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
    if (file && (std::fgetc(file.get()) != EOF || std::ferror(file.get()) == 0)) return std::nullopt;
    return "cannot be read: " + path + ": " + std::generic_category().message(errno);
}

ssl_context_ptr make_client_context() {
    ssl_context_ptr context(SSL_CTX_new(TLS_client_method()));
    if (!context) throw std::runtime_error("OpenSSL gives no client context");
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_default_verify_paths(context.get());
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    prepare_for_events(context.get());
    return context;
}

std::optional<std::string> authorities_problem(const std::string& file) {
    if (auto problem = reading_problem(file)) return problem;
    const ssl_context_ptr context(SSL_CTX_new(TLS_client_method()));
    ERR_clear_error();
    if (context && SSL_CTX_load_verify_file(context.get(), file.c_str()) == 1) return std::nullopt;
    return "must hold certificates of authorities in PEM: " + file;
}

ssl_ptr make_client_session(SSL_CTX* context, int descriptor, const std::string& host) {
    ssl_ptr session(SSL_new(context));
    if (!session || SSL_set_fd(session.get(), descriptor) != 1) return nullptr;
    if (is_address(host)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), host.c_str());
    } else {
        SSL_set_tlsext_host_name(session.get(), host.c_str());
        SSL_set1_host(session.get(), host.c_str());
    }
    SSL_set_connect_state(session.get());
    return session;
}

std::string handshake_problem(const SSL* session) {
    const long verdict = SSL_get_verify_result(session);
    if (verdict != X509_V_OK)
        return std::string("the certificate was not accepted: ") + X509_verify_cert_error_string(verdict);
    const unsigned long code = ERR_peek_last_error();
    const char* reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
    return std::string("the TLS handshake failed: ") + (reason != nullptr ? reason : "connection closed");
}

} // namespace turnout::net
