#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace turnout::config {

/// `executionPolicies[operation].json|stream`: how long and how often.
struct execution_policy {
    base::milliseconds response{};          ///< `responseMs`
    std::optional<base::milliseconds> idle; ///< `idleMs`; none in `json`
    base::milliseconds total{};             ///< `totalMs`
    unsigned max_attempts = 3;              ///< `maxAttempts`, 1..20
};

struct operation_policies {
    execution_policy json;
    execution_policy stream;
};

enum class adapter { openai, openaicompatible };
std::string_view to_string(adapter a);

struct deployment {
    std::string id;    ///< unique within the configuration; never shown
    std::string label; ///< for logs and people; empty if not given
    std::string public_model;
    adapter adapter_key = adapter::openaicompatible;
    std::string upstream_model;
    std::string api_key;  ///< resolved; empty = no Authorization header
    std::string base_url; ///< resolved; no trailing slash, e.g. http://127.0.0.1:9001/v1
    std::uint32_t weight = 1;
    bool enabled = true;
    bool stream_usage = true; ///< ask for usage on streams
};

struct client_key {
    std::string name;
    std::string key; ///< resolved plaintext; hashed by the gateway at start
};

struct server_settings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 4000;
    unsigned workers = 0;                                    ///< 0 = one per core
    std::size_t request_body_bytes = std::size_t{72} << 20U; ///< `requestBodyBytes`
    std::size_t stream_hold_bytes = std::size_t{1} << 20U;   ///< `streamHoldBytes`
    base::milliseconds client_write_stall{120'000};          ///< `clientWriteStallMs`
    base::milliseconds shutdown_grace{30'000};               ///< `shutdownGraceMs`
    std::string master_key;                                  ///< resolved; empty = none
};

struct router_settings {
    operation_policies chat; ///< `executionPolicies.chat`
};

/// One immutable generation of the declared settings.
struct configuration {
    server_settings server;
    router_settings router;
    std::vector<deployment> deployments;
    std::vector<client_key> keys;
};

} // namespace turnout::config
