#include "net/digest.hpp"

#include <algorithm>

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "net/base64.hpp"

namespace turnout::net {

sha256_digest sha256(std::string_view bytes) {
    sha256_digest digest{};
    SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    return digest;
}

std::string sha1_base64(std::string_view bytes) {
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string hex(const sha256_digest& digest, std::size_t digits) {
    constexpr std::string_view alphabet = "0123456789abcdef";
    std::string text;
    text.reserve(digits);
    for (std::size_t i = 0; i < std::min(digits, digest.size() * 2); ++i) {
        const unsigned byte = digest.at(i / 2);
        text.push_back(alphabet[i % 2 == 0 ? byte >> 4U : byte & 15U]);
    }
    return text;
}

bool equal(const sha256_digest& a, const sha256_digest& b) { return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0; }

} // namespace turnout::net
