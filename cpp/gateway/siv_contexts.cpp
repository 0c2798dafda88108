#include "gateway/siv_contexts.hpp"

#include <array>
#include <stdexcept>

#include <openssl/hmac.h>

namespace turnout::gateway {
namespace {

constexpr std::size_t key_bytes = 64;
// Ids sealed otherwise than now would need another.
constexpr std::string_view purpose = "turnout sealed ids 1";

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

cipher_context copy_of(const cipher_context& other) {
    cipher_context c(EVP_CIPHER_CTX_new());
    must_seal(c && EVP_CIPHER_CTX_copy(c.get(), other.get()) == 1);
    return c;
}

} // namespace

siv_contexts::siv_contexts(std::string_view secret, bool encrypts) : keyed_(EVP_CIPHER_CTX_new()) {
    struct free_cipher {
        void operator()(EVP_CIPHER* c) const { EVP_CIPHER_free(c); }
    };
    const std::unique_ptr<EVP_CIPHER, free_cipher> cipher(EVP_CIPHER_fetch(nullptr, "AES-256-SIV", nullptr));
    std::array<unsigned char, key_bytes> key{};
    unsigned written = 0;
    must_seal(HMAC(EVP_sha512(), secret.data(), static_cast<int>(secret.size()), bytes_of(purpose), purpose.size(),
                   key.data(), &written)
                  != nullptr
              && written == key.size());
    must_seal(cipher && keyed_
              && EVP_CipherInit_ex2(keyed_.get(), cipher.get(), key.data(), nullptr, encrypts ? 1 : 0, nullptr) == 1);
}

cipher_context siv_contexts::begin(std::string_view prefix, std::string_view owner) const {
    const std::lock_guard lock(guard_);
    auto owners = begun_.find(prefix);
    if (owners == begun_.end()) owners = begun_.emplace(prefix, by_owner()).first;
    auto found = owners->second.find(owner);
    if (found == owners->second.end()) {
        cipher_context c = copy_of(keyed_);
        must_seal(update(c.get(), nullptr, prefix) && update(c.get(), nullptr, owner));
        found = owners->second.emplace(owner, std::move(c)).first;
    }
    return copy_of(found->second);
}

void must_seal(bool ok) {
    if (!ok) throw std::runtime_error("OpenSSL cannot seal ids with AES-256-SIV");
}

bool update(EVP_CIPHER_CTX* c, unsigned char* out, std::string_view in) {
    int written = 0;
    if (in.empty()) return true; // OpenSSL takes it for a mistake
    return EVP_CipherUpdate(c, out, &written, bytes_of(in), static_cast<int>(in.size())) == 1;
}

} // namespace turnout::gateway
