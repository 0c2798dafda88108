#pragma once

#include <vector>

#include "codec/http1.hpp"
#include "config/configuration.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {

/// Who may call `/v1`. Keys are kept as SHA-256 and compared in constant time.
class client_keys {
public:
    explicit client_keys(const config::configuration& c);

    /// `Authorization: Bearer KEY` or `x-api-key: KEY`. True for everyone when no key is configured.
    bool accepts(const codec::http1::head& head) const;

private:
    std::vector<net::sha256_digest> digests_;
};

} // namespace turnout::gateway
