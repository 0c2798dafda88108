#include "gateway/client_keys.hpp"

#include <optional>
#include <string_view>

namespace turnout::gateway {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<std::string_view> bearer_token(std::string_view value) {
    constexpr std::string_view scheme = "bearer ";
    if (value.size() <= scheme.size()) return std::nullopt;
    for (std::size_t i = 0; i < scheme.size(); ++i)
        if (lower(value[i]) != scheme[i]) return std::nullopt;
    value.remove_prefix(scheme.size());
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    return value;
}

} // namespace

client_keys::client_keys(const config::configuration& c) {
    if (!c.server.master_key.empty()) digests_.push_back(net::sha256(c.server.master_key));
    for (const auto& k : c.keys) digests_.push_back(net::sha256(k.key));
}

bool client_keys::accepts(const codec::http1::head& head) const {
    if (digests_.empty()) return true;
    const auto authorization = head.find("authorization");
    const auto bearer = authorization ? bearer_token(*authorization) : std::nullopt;
    const auto api_key = head.find("x-api-key");
    return (bearer && is_known(*bearer)) || (api_key && is_known(*api_key));
}

bool client_keys::is_known(std::string_view key) const {
    const auto digest = net::sha256(key);
    bool found = false;
    for (const auto& d : digests_) found |= net::equal(d, digest);
    return found;
}

} // namespace turnout::gateway
