#include "gateway/sealing.hpp"

#include <algorithm>
#include <vector>

#include <openssl/err.h>

#include "gateway/deployment_table.hpp"
#include "net/base64.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {
namespace {

constexpr std::size_t tag_bytes = 16;

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

} // namespace

sealing::sealing(std::string_view secret) : seals_(secret, true), opens_(secret, false) {}

std::string sealing::seal(std::string_view prefix, std::string_view owner, std::string_view deployment,
                          std::string_view upstream_id) const {
    std::string subject(deployment);
    subject += upstream_id;
    std::string sealed(tag_bytes + subject.size(), '\0');
    const cipher_context c = seals_.begin(prefix, owner);
    must_seal(update(c.get(), bytes_of(sealed) + tag_bytes, subject)
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
    const cipher_context c = opens_.begin(prefix, owner);
    must_seal(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) == 1);
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
