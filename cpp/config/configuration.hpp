#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "config/adapter.hpp"
#include "config/default_policies.hpp"
#include "config/execution_policy.hpp"
#include "routing/circuit_settings.hpp"
#include "routing/fallback_reason.hpp"
#include "routing/price.hpp"
#include "routing/strategy.hpp"

namespace turnout::config {

struct extra_header {
    std::string name; ///< in lower case
    std::string value;
};

struct deployment {
    std::string id;    ///< unique within the configuration; never shown
    std::string label; ///< for logs and people; empty if not given
    std::string public_model;
    adapter adapter_key = adapter::openaicompatible;
    std::string upstream_model;
    std::string api_key;               ///< resolved; empty = none is sent
    std::string base_url;              ///< resolved; no trailing slash, e.g. http://127.0.0.1:9001/v1
    std::string version;               ///< `credentials.version`; empty if not given
    std::vector<extra_header> headers; ///< `credentials.headers`
    transport_set transports = traits_of(adapter::openaicompatible).transports; ///< never empty
    bool web_socket = false; ///< `webSocket`: takes turns over a WebSocket
    std::uint32_t weight = 1;
    bool enabled = true;
    bool stream_usage = true;               ///< ask for usage on streams
    std::optional<std::uint64_t> rpm_limit; ///< `rpmLimit`, at least 1; none is no limit
    std::optional<std::uint64_t> tpm_limit; ///< `tpmLimit`, at least 1; none is no limit
    std::string
        failure_domain; ///< `failureDomain`; deployments with the same share a capacity circuit; empty = its own
    routing::pricing pricing;
    policy_overrides overrides; ///< `executionPolicyOverrides`
};

struct client_key {
    std::string name;
    std::string key; ///< resolved plaintext; hashed by the gateway at start
};

/// Files in PEM, by absolute paths or as seen from the working directory.
struct tls_files {
    std::string certificate_file; ///< `certificateFile`: the certificate first, then those that lead to an authority
    std::string key_file;         ///< `keyFile`: its key, without a passphrase
};

/// Of the command; a gateway within another program takes any that is free.
inline constexpr std::uint16_t default_port = 4000;

struct server_settings {
    std::string host = "127.0.0.1";
    std::optional<std::uint16_t> port;                        ///< 0 = any that is free
    std::optional<unsigned> workers;                          ///< 0 = one per core
    std::size_t request_body_bytes = std::size_t{72} << 20U;  ///< `requestBodyBytes`
    std::size_t stream_hold_bytes = std::size_t{1} << 20U;    ///< `streamHoldBytes`
    std::size_t request_memory_bytes = std::size_t{1} << 30U; ///< `requestMemoryBytes`; at least `requestBodyBytes`
    std::optional<std::size_t> max_connections;               ///< `maxConnections`; none = what the descriptors allow
    base::milliseconds client_write_stall{120'000};           ///< `clientWriteStallMs`
    base::milliseconds shutdown_grace{30'000};                ///< `shutdownGraceMs`
    std::string master_key;                                   ///< resolved; empty = none
    std::optional<tls_files> tls;                             ///< `tls`; none is plain HTTP
};

/// A DNS server, asked over UDP and TCP.
struct name_server {
    std::string address; ///< IPv4, or IPv6 without brackets
    std::uint16_t port = 53;
};

/// The HTTP proxy through which https upstreams are reached.
struct proxy_settings {
    std::string host; ///< IPv6 without brackets
    std::uint16_t port = 80;
    std::string credentials; ///< `user:password`, decoded; empty = none
    std::vector<std::string>
        without; ///< entries of NO_PROXY in lower case: `*`, hosts, domains, each maybe with a port
};

/// What concerns connections to upstreams.
struct network_settings {
    std::string ca_file;                  ///< `caFile`; PEM, replaces the system's authorities; empty = those
    std::vector<name_server> dns_servers; ///< `dnsServers`; empty = the system's
    base::milliseconds connect{5'000};    ///< `connectMs`: bounds TCP and TLS to one address
    std::optional<proxy_settings> proxy;  ///< from the environment
};

struct router_settings {
    routing::strategy strategy = routing::strategy::simple_shuffle; ///< `routingStrategy`
    routing::circuit_settings circuits;
    base::duration retry_after{};                                   ///< `retryAfterSeconds`
    by_operation<operation_policies> policies = default_policies(); ///< `executionPolicies`

    operation_policies& of(operation o) { return policies[o]; }
    const operation_policies& of(operation o) const { return policies[o]; }
};

/// Where a logical request goes when the pool of `primary_model` fails for `reason`.
struct fallback_chain {
    std::string primary_model;
    routing::fallback_reason reason = routing::fallback_reason::general;
    std::vector<std::string> models; ///< 1 to 5 public models in order, without the primary
};

/// One immutable generation of the declared settings.
struct configuration {
    server_settings server;
    network_settings network;
    router_settings router;
    std::vector<deployment> deployments;
    std::vector<client_key> keys;
    std::vector<fallback_chain> fallbacks; ///< one at most for each primary model and reason
};

} // namespace turnout::config
