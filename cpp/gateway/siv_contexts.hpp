#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <openssl/evp.h>

namespace turnout::gateway {

struct free_cipher_context {
    void operator()(EVP_CIPHER_CTX* c) const { EVP_CIPHER_CTX_free(c); }
};
using cipher_context = std::unique_ptr<EVP_CIPHER_CTX, free_cipher_context>;

/// AES-256-SIV with one key and in one direction, to be begun for a pair of associated texts. The pairs come from the
/// configuration, so those that were seen are kept: beginning anew costs as much as the message.
class siv_contexts {
public:
    /// Throws std::runtime_error if OpenSSL has no AES-SIV. The key is derived from the secret.
    siv_contexts(std::string_view secret, bool encrypts);

    /// One that has read the prefix, then the owner. Any thread may ask.
    cipher_context begin(std::string_view prefix, std::string_view owner) const;

private:
    using by_owner = std::map<std::string, cipher_context, std::less<>>;

    cipher_context keyed_;
    mutable std::mutex guard_;
    mutable std::map<std::string, by_owner, std::less<>> begun_;
};

/// Throws std::runtime_error unless `ok`.
void must_seal(bool ok);

/// False where OpenSSL refuses. `out` may be null for associated texts.
bool update(EVP_CIPHER_CTX* c, unsigned char* out, std::string_view in);

} // namespace turnout::gateway
