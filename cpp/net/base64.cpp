#include "net/base64.hpp"

#include <algorithm>

#include <openssl/evp.h>

namespace turnout::net {
namespace {

// OpenSSL counts in `int`, and nothing here is near that.
constexpr std::size_t longest = std::size_t{1} << 30U;

} // namespace

std::string base64(std::string_view bytes) {
    bytes = bytes.substr(0, longest);
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // and the NUL that OpenSSL adds
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::string base64url(std::string_view bytes) {
    std::string text = base64(bytes);
    text.resize(text.size() - static_cast<std::size_t>(std::count(text.begin(), text.end(), '=')));
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    if (text.size() > longest || text.size() % 4 == 1) return std::nullopt;
    std::string padded(text);
    std::replace(padded.begin(), padded.end(), '-', '+');
    std::replace(padded.begin(), padded.end(), '_', '/');
    const std::size_t padding = (4 - text.size() % 4) % 4;
    padded.append(padding, '=');
    std::string bytes(padded.size() / 4 * 3, '\0');
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(padded.data()), static_cast<int>(padded.size()));
    if (size < 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(size) - padding);
    // OpenSSL passes over blank space and bits that stand for nothing.
    if (base64url(bytes) != text) return std::nullopt;
    return bytes;
}

} // namespace turnout::net
