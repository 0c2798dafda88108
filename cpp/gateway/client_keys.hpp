#pragma once

#include <string_view>
#include <vector>

#include "codec/http1.hpp"
#include "config/configuration.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {

/// Who may call `/v1`. Keys are kept as SHA-256 and compared in constant time.
class client_keys {
public:
    explicit client_keys(const config::configuration& c);

    /// `Authorization: Bearer KEY` or `x-api-key: KEY`; where both are sent one of them suffices, since SDKs send a
    /// placeholder in theirs. True for everyone when no key is configured.
    bool accepts(const codec::http1::head& head) const;

private:
    bool is_known(std::string_view key) const;

    std::vector<net::sha256_digest> digests_;
};

} // namespace turnout::gateway
