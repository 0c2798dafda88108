#include "net/tls_server.hpp"

#include <cstdio>
#include <stdexcept>
#include <string_view>

#include <openssl/err.h>
#include <openssl/pem.h>

namespace turnout::net {
namespace {

using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
using pkey_ptr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using which = certificate_problem::file;

constexpr unsigned char http_1_1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
constexpr unsigned char session_context[] = {'t', 'u', 'r', 'n', 'o', 'u', 't'};

/// Takes HTTP/1.1 out of what the client offers. One that offers other protocols only would not understand the answers.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
    unsigned char* match = nullptr;
    if (SSL_select_next_proto(&match, length, http_1_1, sizeof http_1_1, offered, offered_length)
        != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = match;
    return SSL_TLSEXT_ERR_OK;
}

/// Nobody is there to type a passphrase: notes that one was wanted.
int note_passphrase(char*, int, int, void* wanted) {
    *static_cast<bool*>(wanted) = true;
    return -1;
}

std::string last_reason() {
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    return reason != nullptr ? reason : "unknown reason";
}

std::string use_certificate(SSL_CTX* context, const std::string& path) {
    if (auto problem = reading_problem(path)) return std::move(*problem);
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, path.c_str()) == 1) return {};
    if (ERR_GET_LIB(ERR_peek_error()) == ERR_LIB_PEM) return "must hold a certificate in PEM: " + path;
    return "must hold a certificate that can be used (" + last_reason() + "): " + path;
}

/// Without `certified` there is no certificate that the key could fit.
std::string use_key(SSL_CTX* context, const std::string& path, bool certified) {
    if (auto problem = reading_problem(path)) return std::move(*problem);
    const file_ptr file(std::fopen(path.c_str(), "re"), std::fclose);
    bool needs_passphrase = false;
    const pkey_ptr key(file ? PEM_read_PrivateKey(file.get(), nullptr, note_passphrase, &needs_passphrase) : nullptr,
                       EVP_PKEY_free);
    if (needs_passphrase) return "must hold a private key without a passphrase: " + path;
    if (!key) return "must hold a private key in PEM: " + path;
    if (!certified) return {};
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
        return "must hold the private key of the first certificate in certificateFile: " + path;
    return {};
}

} // namespace

std::variant<server_tls_context, std::vector<certificate_problem>>
make_server_context(const std::string& certificate_file, const std::string& key_file) {
    ssl_context_ptr context(SSL_CTX_new(TLS_server_method()));
    if (!context) throw std::runtime_error("OpenSSL gives no server context");
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    prepare_for_events(context.get());
    // A client that starts a new handshake within a connection costs much and gains nothing.
    SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION);
    // Sessions live in tickets that clients keep: nothing is remembered here, however many clients come.
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_session_id_context(context.get(), session_context, sizeof session_context);
    SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
    std::vector<certificate_problem> problems;
    if (auto problem = use_certificate(context.get(), certificate_file); !problem.empty())
        problems.push_back({which::certificate, std::move(problem)});
    if (auto problem = use_key(context.get(), key_file, problems.empty()); !problem.empty())
        problems.push_back({which::key, std::move(problem)});
    if (!problems.empty()) return problems;
    return server_tls_context(std::move(context));
}

ssl_ptr make_server_session(SSL_CTX* context, int descriptor) {
    ssl_ptr session(SSL_new(context));
    if (!session || SSL_set_fd(session.get(), descriptor) != 1) return nullptr;
    SSL_set_accept_state(session.get());
    return session;
}

bool spoke_plain_http() {
    const unsigned long code = ERR_peek_last_error();
    const int reason = ERR_GET_REASON(code);
    return ERR_GET_LIB(code) == ERR_LIB_SSL && (reason == SSL_R_HTTP_REQUEST || reason == SSL_R_HTTPS_PROXY_REQUEST);
}

} // namespace turnout::net
