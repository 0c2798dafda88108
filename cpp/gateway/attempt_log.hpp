#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "gateway/deployment_table.hpp"
#include "routing/attempt_record.hpp"

namespace turnout::gateway {

/// What a logical request leaves behind, for the log line and for `unified_routing`.
struct request_summary {
    std::string_view request_id;
    bool stream = false;
    int status = 0; ///< of the answer; 499 when the client left
    base::duration took{};
    const deployment_table& deployments;
    const model_routes& model;
    routing::strategy strategy = routing::strategy::simple_shuffle;
    std::span<const routing::attempt_record> attempts; ///< their targets index into the model's deployments
    std::vector<std::string_view> anomalies;
    std::string_view error_code; ///< of the answer; empty if none
};

/// A code as logs may show it: a provider writes its own, which may quote a prompt. `other` unless it is one word of at
/// most 64 characters.
std::string_view loggable_code(std::string_view code);

/// The HTTP status that an attempt failed with; 0 if none. What closes a WebSocket is a number of another kind.
int http_status_of(const base::failure_report& report);

/// What went wrong with the connection to an upstream, in the gateway's own words; empty if that was not it.
std::string_view connection_problem(const base::failure_report& report);

/// The value of `unified_routing`.
std::string routing_metadata(const request_summary& s);

/// Appends one line of key=value pairs, without the line end. Holds no words of a provider and no secret.
void write_log_line(std::string& out, const request_summary& s);

} // namespace turnout::gateway
