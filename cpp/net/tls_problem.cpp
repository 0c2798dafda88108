#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "net/tls_client.hpp"

namespace turnout::net {
namespace {

std::string verdict_text(long verdict) {
    switch (verdict) {
    case X509_V_ERR_CERT_HAS_EXPIRED: return "the upstream's certificate has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID: return "the upstream's certificate is not valid yet";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return "the upstream's certificate is for another host";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        return "the upstream's certificate is signed by itself and not trusted";
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return "the upstream's certificate is from an authority that is not trusted, or the upstream leaves out an "
               "intermediate one";
    default:
        return std::string("the upstream's certificate was not accepted: ") + X509_verify_cert_error_string(verdict);
    }
}

/// What a reason of OpenSSL's means to the one who runs the gateway; null for those that say enough themselves.
const char* meaning_of(int reason) {
    switch (reason) {
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW: return "the upstream speaks no TLS newer than 1.1, and 1.2 is the least";
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
        return "the upstream does not speak TLS on this port; is its address http:// instead of https://?";
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE:
    case SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
    case SSL_R_NO_SHARED_CIPHER: return "the upstream has no cipher or parameters in common with the gateway";
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
        return "the upstream wants a certificate from its clients, and the gateway has none";
    case SSL_R_TLSV1_UNRECOGNIZED_NAME: return "the upstream knows no host of this name";
    case SSL_R_UNEXPECTED_EOF_WHILE_READING: return "the upstream closed the connection during the TLS handshake";
    default: return nullptr;
    }
}

// How OpenSSL numbers what an alert says.
constexpr int first_alert = 1000;

} // namespace

std::string handshake_problem(const SSL* connection) {
    if (const long verdict = SSL_get_verify_result(connection); verdict != X509_V_OK) return verdict_text(verdict);
    const unsigned long code = ERR_peek_last_error();
    if (code == 0) return "the upstream closed the connection during the TLS handshake"; // by a reset
    if (const char* meaning = meaning_of(ERR_GET_REASON(code))) return meaning;
    const char* reason = ERR_reason_error_string(code);
    return std::string("the TLS handshake failed: ") + (reason != nullptr ? reason : "unknown reason");
}

std::optional<std::string> alert_problem() {
    const unsigned long code = ERR_peek_last_error();
    if (ERR_GET_LIB(code) != ERR_LIB_SSL || ERR_GET_REASON(code) <= first_alert) return std::nullopt;
    if (const char* meaning = meaning_of(ERR_GET_REASON(code))) return meaning;
    const char* reason = ERR_reason_error_string(code);
    return std::string("the upstream ended the connection: ") + (reason != nullptr ? reason : "unknown alert");
}

} // namespace turnout::net
