#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"

namespace turnout::base {

/// What ended an attempt, as seen by the one who watched it. Classes are routing's business.
enum class failure_origin {
    upstream_answer,  ///< an HTTP answer whose status is not 2xx
    error_in_answer,  ///< a 2xx JSON answer that carries an error object and no result
    error_event,      ///< an error frame inside a 2xx stream
    connect_failed,   ///< name not resolved, refused, unreachable
    tls_failed,       ///< handshake or certificate
    connection_lost,  ///< reset or closed before the answer's head was complete
    malformed_http,   ///< the answer is not HTTP
    malformed_body,   ///< the body is not the JSON or SSE that the contract wants
    body_truncated,   ///< a JSON body ended before its announced end
    websocket_closed, ///< the upstream closed a WebSocket; `status` is its close code, `message` its reason
    not_carried,      ///< the deployment cannot carry this request: nothing was sent, or it lacks the operation
    stream_truncated, ///< a stream ended with neither a finish nor an end marker
    response_timeout, ///< `responseMs` passed
    idle_timeout,     ///< `idleMs` passed
    total_timeout,    ///< `totalMs` passed while the attempt was running
    paused_timeout,   ///< likewise, while the gateway itself was not reading
    client_gone,      ///< the client closed or reset its connection
    client_stalled,   ///< the client took nothing for `clientWriteStallMs`
    gateway,          ///< the gateway's own fault or limit
};

/// One failed attempt, normalised by codec (facts only) before routing gives it a class.
struct failure_report {
    failure_origin origin = failure_origin::gateway;
    /// HTTP status of the answer; when the error came inside a 2xx answer, the number that it gives itself; 0 if none.
    int status = 0;
    std::string code = {};    ///< provider's error code; empty if none
    std::string type = {};    ///< provider's error type; empty if none
    std::string param = {};   ///< provider's param; empty if none
    std::string message = {}; ///< provider's message, not yet sanitized; empty if none
    /// How long the provider asked to wait.
    std::optional<milliseconds> retry_after = {};
    /// When the last of the account's empty buckets is refilled. Says how long to wait where nothing else does.
    std::optional<milliseconds> refill = {};
    bool daily_quota_spent = false; ///< the provider names a quota per day as the one that is used up
};

} // namespace turnout::base
