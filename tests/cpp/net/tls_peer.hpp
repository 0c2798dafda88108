#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "net/loopback.hpp"
#include "net/tls.hpp"

namespace turnout::net {

/// A key and a certificate that vouches for itself, made for one test.
class tls_identity {
public:
    /// `names` as OpenSSL writes them: `DNS:localhost,IP:127.0.0.1`.
    explicit tls_identity(const std::string& names)
        : key_(EVP_EC_gen("P-256"), EVP_PKEY_free), cert_(X509_new(), X509_free) {
        X509* c = cert_.get();
        X509_set_version(c, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(c), 1);
        X509_gmtime_adj(X509_getm_notBefore(c), -3600);
        X509_gmtime_adj(X509_getm_notAfter(c), 3600);
        X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
        X509_set_issuer_name(c, X509_get_subject_name(c));
        X509_set_pubkey(c, key_.get());
        X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
        X509_add_ext(c, extension, -1);
        X509_EXTENSION_free(extension);
        if (X509_sign(c, key_.get(), EVP_sha256()) == 0) throw std::runtime_error("the certificate is not signed");
    }

    EVP_PKEY* key() const { return key_.get(); }
    X509* certificate() const { return cert_.get(); }
    void write_certificate(const std::string& path) const {
        const file_ptr file(std::fopen(path.c_str(), "w"), std::fclose);
        if (!file || PEM_write_X509(file.get(), cert_.get()) != 1) throw std::runtime_error("no certificate file");
    }
    /// Encrypted if there is a passphrase.
    void write_key(const std::string& path, const std::string& passphrase = {}) const {
        const file_ptr file(std::fopen(path.c_str(), "w"), std::fclose);
        const auto* word = reinterpret_cast<const unsigned char*>(passphrase.data());
        if (!file
            || PEM_write_PrivateKey(file.get(), key_.get(), passphrase.empty() ? nullptr : EVP_aes_256_cbc(), word,
                                    static_cast<int>(passphrase.size()), nullptr, nullptr)
                   != 1)
            throw std::runtime_error("no key file");
    }

private:
    using file_ptr = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
    std::unique_ptr<X509, void (*)(X509*)> cert_;
};

/// The server's end of a TLS connection, which the test drives and which never blocks.
class tls_peer {
public:
    tls_peer(raw_socket&& socket, const tls_identity& identity)
        : socket_(std::move(socket)), context_(SSL_CTX_new(TLS_server_method())) {
        SSL_CTX_use_PrivateKey(context_.get(), identity.key());
        SSL_CTX_use_certificate(context_.get(), identity.certificate());
        SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        session_.reset(SSL_new(context_.get()));
        SSL_set_fd(session_.get(), socket_.descriptor());
        SSL_set_accept_state(session_.get());
    }

    /// Goes on with the handshake, and reads.
    const std::string& read() {
        char buffer[16 * 1024];
        std::size_t n = 0;
        while (SSL_read_ex(session_.get(), buffer, sizeof buffer, &n) == 1) got_.append(buffer, n);
        return got_;
    }
    std::string take() {
        read();
        return std::exchange(got_, {});
    }
    std::size_t send(std::string_view bytes) {
        std::size_t all = 0;
        std::size_t n = 0;
        while (all < bytes.size() && SSL_write_ex(session_.get(), bytes.data() + all, bytes.size() - all, &n) == 1)
            all += n;
        return all;
    }
    /// The name that the client asked for.
    std::string server_name() const {
        const char* name = SSL_get_servername(session_.get(), TLSEXT_NAMETYPE_host_name);
        return name != nullptr ? name : "";
    }
    void shut_down() { SSL_shutdown(session_.get()); }
    raw_socket& socket() { return socket_; }

private:
    raw_socket socket_;
    ssl_context_ptr context_;
    ssl_ptr session_;
    std::string got_;
};

} // namespace turnout::net
