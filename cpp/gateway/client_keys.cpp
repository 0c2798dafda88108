#include "gateway/client_keys.hpp"

#include <array>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"

namespace turnout::gateway {
namespace {

std::optional<std::string_view> bearer_token(std::string_view value) {
    constexpr std::string_view scheme = "bearer ";
    if (value.size() <= scheme.size()) return std::nullopt;
    for (std::size_t i = 0; i < scheme.size(); ++i)
        if (base::lower(value[i]) != scheme[i]) return std::nullopt;
    value.remove_prefix(scheme.size());
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    return value;
}

/// The keys of a request: as bearer token, and in a header of their own. A proxy before us may have checked another of two
/// equal headers than we would.
std::array<std::optional<std::string_view>, 2> shown(const codec::http1::head& head) {
    const auto authorization = head.find_only("authorization");
    return {authorization ? bearer_token(*authorization) : std::nullopt, head.find_only("x-api-key")};
}

constexpr std::string_view master_name = "master";

/// The name of a client's key, and something else only where it could be taken for the master key's.
std::string owner_of(const std::string& name) {
    constexpr char mark = '\'';
    const bool like_master =
        name.starts_with(master_name) && name.find_first_not_of(mark, master_name.size()) == name.npos;
    return like_master ? name + mark : name;
}

} // namespace

client_keys::client_keys(const config::configuration& c) {
    const auto& master = c.server.master_key;
    if (!master.empty())
        known_.push_back({net::sha256(master), std::string(master_name), std::string(master_name), true});
    for (const auto& k : c.keys) known_.push_back({net::sha256(k.key), k.name, owner_of(k.name), false});
}

bool client_keys::accepts_master(const codec::http1::head& head) const {
    if (known_.empty()) return true;
    for (const auto& text : shown(head)) {
        const auto* key = text ? find(*text) : nullptr;
        if (key != nullptr && key->master) return true;
    }
    return false;
}

std::optional<caller> client_keys::caller_of(const codec::http1::head& head) const {
    if (known_.empty()) return caller{};
    for (const auto& text : shown(head))
        if (const auto* key = text ? find(*text) : nullptr) return caller{key->name, key->owner};
    return std::nullopt;
}

const client_keys::known_key* client_keys::find(std::string_view key) const {
    const auto digest = net::sha256(key);
    const known_key* found = nullptr;
    for (const auto& k : known_)
        if (net::equal(k.digest, digest) && found == nullptr) found = &k;
    return found;
}

} // namespace turnout::gateway
