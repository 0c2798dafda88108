#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/http1.hpp"
#include "config/configuration.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {

/// Who may call `/v1`, and who `/admin`. Keys are kept as SHA-256 and compared in constant time.
class client_keys {
public:
    explicit client_keys(const config::configuration& c);

    /// `Authorization: Bearer KEY` or `x-api-key: KEY`; where both are sent one of them suffices, since SDKs send a
    /// placeholder in theirs. True for everyone when no key is configured.
    bool accepts(const codec::http1::head& head) const { return name_of(head).has_value(); }
    /// As `accepts`, but the key must be the master key. Without one, nobody is let in who had to show a key.
    bool accepts_master(const codec::http1::head& head) const;
    /// The name of the key that is shown, `master` for the master key; empty if no key is configured, nothing if none
    /// that is known is shown. Valid as long as this.
    std::optional<std::string_view> name_of(const codec::http1::head& head) const;

private:
    struct known_key {
        net::sha256_digest digest;
        std::string name;
        bool master = false;
    };

    const known_key* find(std::string_view key) const;

    std::vector<known_key> known_;
};

} // namespace turnout::gateway
