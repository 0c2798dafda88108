#include "gateway/sealing.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include <openssl/err.h>
#include <openssl/hmac.h>

#include "gateway/deployment_table.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {
namespace {

constexpr std::size_t key_bytes = 64;
constexpr std::size_t tag_bytes = 16;
// Ids sealed otherwise than now would need another.
constexpr std::string_view purpose = "turnout sealed ids 1";

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

void must(bool ok) {
    if (!ok) throw std::runtime_error("OpenSSL cannot seal ids with AES-256-SIV");
}

bool update(EVP_CIPHER_CTX* c, unsigned char* out, std::string_view in) {
    int written = 0;
    if (in.empty()) return true; // OpenSSL takes it for a mistake
    return EVP_CipherUpdate(c, out, &written, bytes_of(in), static_cast<int>(in.size())) == 1;
}

} // namespace

sealing::sealing(std::string_view secret) : seals_(keyed(secret, true)), opens_(keyed(secret, false)) {}

sealing::context sealing::keyed(std::string_view secret, bool sealing) {
    struct free_cipher {
        void operator()(EVP_CIPHER* c) const { EVP_CIPHER_free(c); }
    };
    const std::unique_ptr<EVP_CIPHER, free_cipher> cipher(EVP_CIPHER_fetch(nullptr, "AES-256-SIV", nullptr));
    std::array<unsigned char, key_bytes> key{};
    unsigned written = 0;
    must(HMAC(EVP_sha512(), secret.data(), static_cast<int>(secret.size()), bytes_of(purpose), purpose.size(),
              key.data(), &written)
             != nullptr
         && written == key.size());
    context c(EVP_CIPHER_CTX_new());
    must(cipher && c && EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(), nullptr, sealing ? 1 : 0, nullptr) == 1);
    return c;
}

sealing::context sealing::begin(const context& keyed, std::string_view prefix, std::string_view owner) {
    context c(EVP_CIPHER_CTX_new());
    must(c && EVP_CIPHER_CTX_copy(c.get(), keyed.get()) == 1);
    must(update(c.get(), nullptr, prefix) && update(c.get(), nullptr, owner));
    return c;
}

std::string sealing::seal(std::string_view prefix, std::string_view owner, std::string_view deployment,
                          std::string_view upstream_id) const {
    std::string subject(deployment);
    subject += upstream_id;
    std::string sealed(tag_bytes + subject.size(), '\0');
    const context c = begin(seals_, prefix, owner);
    must(update(c.get(), bytes_of(sealed) + tag_bytes, subject)
         && EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed.data()) == 1);
    return std::string(prefix) + net::base64url(sealed);
}

std::optional<sealed_subject> sealing::open(std::string_view prefix, std::string_view owner,
                                            std::string_view id) const {
    if (!id.starts_with(prefix)) return std::nullopt;
    auto sealed = net::from_base64url(id.substr(prefix.size()));
    if (!sealed || sealed->size() <= tag_bytes + seal_name_bytes) return std::nullopt;
    std::string tag = sealed->substr(0, tag_bytes);
    std::string subject(sealed->size() - tag_bytes, '\0');
    const context c = begin(opens_, prefix, owner);
    must(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) == 1);
    int more = 0;
    if (!update(c.get(), bytes_of(subject), std::string_view(*sealed).substr(tag_bytes))
        || EVP_CipherFinal_ex(c.get(), bytes_of(subject), &more) != 1) {
        ERR_clear_error(); // TLS would take it for its own
        return std::nullopt;
    }
    return sealed_subject{subject.substr(0, seal_name_bytes), subject.substr(seal_name_bytes)};
}

std::string sealing_secret(const config::configuration& settings) {
    if (!settings.server.master_key.empty()) return settings.server.master_key;
    std::vector<std::string> keys;
    for (const auto& k : settings.keys) keys.push_back(net::hex(net::sha256(k.key)));
    std::sort(keys.begin(), keys.end());
    std::string secret;
    for (const auto& k : keys) secret += k;
    return secret;
}

} // namespace turnout::gateway
