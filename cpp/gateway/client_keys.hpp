#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/http1.hpp"
#include "config/configuration.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {

/// Whose key a request shows. Both are empty if no key is configured, and valid as long as the `client_keys`.
struct caller {
    std::string_view name;  ///< of the key, `master` for the master key; another key may be named the same
    std::string_view owner; ///< of what only this key may see again: no two keys have the same
};

/// Who may call `/v1`, and who `/admin`. Keys are kept as SHA-256 and compared in constant time.
class client_keys {
public:
    explicit client_keys(const config::configuration& c);

    /// `Authorization: Bearer KEY` or `x-api-key: KEY`; where both are sent one of them suffices, since SDKs send a
    /// placeholder in theirs. True for everyone when no key is configured.
    bool accepts(const codec::http1::head& head) const { return caller_of(head).has_value(); }
    /// As `accepts`, but the key must be the master key. Without one, nobody is let in who had to show a key.
    bool accepts_master(const codec::http1::head& head) const;
    /// Nothing if no key that is known is shown.
    std::optional<caller> caller_of(const codec::http1::head& head) const;

private:
    struct known_key {
        net::sha256_digest digest;
        std::string name;
        std::string owner;
        bool master = false;
    };

    const known_key* find(std::string_view key) const;

    std::vector<known_key> known_;
};

} // namespace turnout::gateway
