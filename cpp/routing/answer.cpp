#include "routing/answer.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "base/ascii.hpp"
#include "routing/recognition.hpp"

namespace turnout::routing {

namespace {

constexpr std::string_view invalid_request = "invalid_request_error";
constexpr std::string_view rate_limit = "rate_limit_error";
constexpr std::string_view server_error = "server_error";
constexpr std::string_view service_unavailable = "service_unavailable_error";
constexpr std::string_view timed_out = "timeout_error";

caller_answer model_unavailable() {
    return {.status = 503,
            .type = service_unavailable,
            .code = "model_unavailable",
            .should_retry_false = true,
            .message = "The model is not available."};
}

caller_answer model_overloaded() {
    return {.status = 503,
            .type = service_unavailable,
            .code = "model_overloaded",
            .message = "The model is overloaded. Please try again later."};
}

caller_answer out_of_capacity() {
    return {.status = 429,
            .type = rate_limit,
            .code = "rate_limit_exceeded",
            .message = "The model's rate limit is reached. Please try again later."};
}

caller_answer state_unreachable() {
    return {.status = 503,
            .type = service_unavailable,
            .code = "service_unavailable",
            .retry_after = 1,
            .message = "The gateway cannot route requests at the moment. Please try again later."};
}

caller_answer shutting_down() {
    return {.status = 503,
            .type = service_unavailable,
            .code = "shutting_down",
            .retry_after = 1,
            .message = "The gateway was shut down before the request was finished. Please try again."};
}

caller_answer out_of_time() {
    return {.status = 504,
            .type = timed_out,
            .code = "timeout",
            .should_retry_false = true,
            .message = "The request took longer than it may."};
}

caller_answer nobody_listens() {
    return {.status = 499,
            .type = invalid_request,
            .code = "client_closed_request",
            .message = "The client closed the connection."};
}

caller_answer upstream_timeout() {
    return {.status = 504, .type = timed_out, .code = "timeout", .message = "The upstream did not answer in time."};
}

caller_answer unreachable() {
    return {.status = 502, .type = server_error, .message = "The upstream could not be reached."};
}

caller_answer not_understood() {
    return {.status = 502,
            .type = server_error,
            .code = "upstream_protocol_error",
            .message = "The upstream's answer could not be understood."};
}

caller_answer truncated() {
    return {.status = 502,
            .type = server_error,
            .code = "upstream_stream_truncated",
            .message = "The upstream's answer ended before it was complete."};
}

caller_answer too_large() {
    return {.status = 413, .type = invalid_request, .message = "The upstream takes no request of this size."};
}

caller_answer not_supported() {
    return {.status = 400,
            .type = invalid_request,
            .code = "unsupported_model_capability",
            .message = "No deployment of the model can carry this request."};
}

caller_answer own_fault() {
    return {.status = 500, .type = server_error, .message = "The gateway could not handle the request."};
}

std::string_view type_of(failure_class failure) {
    switch (failure) {
    case failure_class::request:
    case failure_class::context_window:
    case failure_class::content_policy:
    case failure_class::incompatible: return invalid_request;
    case failure_class::throttle: return rate_limit;
    case failure_class::transient:
    case failure_class::configuration:
    case failure_class::gateway: return server_error;
    }
    return server_error;
}

bool is_number(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), base::is_digit); }

/// The provider's own code, but those that clients know by name are given where it has none.
std::string code_of(const attempt_record& attempt) {
    if (attempt.failure == failure_class::context_window) return "context_length_exceeded";
    const auto& own = attempt.report.code;
    if (attempt.failure == failure_class::content_policy && (own.empty() || is_number(own))) {
        return "content_policy_violation";
    }
    return own;
}

std::optional<std::int64_t> whole_seconds(std::optional<base::duration> wait) {
    if (!wait) return std::nullopt;
    return std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(*wait).count());
}

/// Repeating a request that is at fault itself is pointless, but a 5xx makes official SDKs do it.
bool misleads_to_retry(failure_class failure, int status) {
    return status >= 500 && (failure == failure_class::context_window || failure == failure_class::content_policy);
}

/// The answer that the upstream gave, with whatever status it stood for.
caller_answer relayed(const attempt_record& attempt) {
    const int status = read_words(attempt.report).status;
    if (status < 400 || status > 599) return not_understood();
    return {.status = status,
            .type = type_of(attempt.failure),
            .code = code_of(attempt),
            .param = attempt.report.param,
            .retry_after = whole_seconds(attempt.report.retry_after),
            .should_retry_false = attempt.quota_exhausted || misleads_to_retry(attempt.failure, status),
            .use_provider_message = true,
            .message = "The upstream answered with status " + std::to_string(status) + "."};
}

caller_answer for_attempt(const attempt_record& attempt) {
    switch (attempt.report.origin) {
    case base::failure_origin::upstream_answer:
    case base::failure_origin::error_in_answer:
    case base::failure_origin::error_event: return relayed(attempt);
    case base::failure_origin::connect_failed:
    case base::failure_origin::tls_failed:
    case base::failure_origin::connection_lost: return unreachable();
    case base::failure_origin::malformed_http:
    case base::failure_origin::malformed_body: return not_understood();
    case base::failure_origin::body_truncated:
    case base::failure_origin::stream_truncated: return truncated();
    case base::failure_origin::websocket_closed:
        return attempt.failure == failure_class::request ? too_large() : truncated();
    case base::failure_origin::not_carried: return not_supported();
    case base::failure_origin::response_timeout:
    case base::failure_origin::idle_timeout: return upstream_timeout();
    case base::failure_origin::total_timeout:
    case base::failure_origin::paused_timeout: return out_of_time();
    case base::failure_origin::client_gone:
    case base::failure_origin::client_stalled: return nobody_listens();
    case base::failure_origin::gateway: return own_fault();
    }
    return own_fault();
}

caller_answer for_shortage(shortage why) {
    switch (why) {
    case shortage::nobody:
    case shortage::misconfigured: return model_unavailable();
    case shortage::circuits: return model_overloaded();
    case shortage::limits: return out_of_capacity();
    }
    return model_unavailable();
}

/// When waiting helps, the caller is told for how long.
caller_answer nothing_admissible(const route_outcome& outcome) {
    auto answer = for_shortage(outcome.shortfall);
    if (!answer.should_retry_false) answer.retry_after = whole_seconds(outcome.retry_after);
    return answer;
}

} // namespace

caller_answer answer_for(const route_outcome& outcome, std::span<const attempt_record> attempts) {
    switch (outcome.verdict) {
    case route_verdict::no_candidate: return nothing_admissible(outcome);
    case route_verdict::state_unavailable: return state_unreachable();
    case route_verdict::expired: return out_of_time();
    case route_verdict::client_gone: return nobody_listens();
    case route_verdict::server_ending: return shutting_down();
    case route_verdict::failed:
        // Nobody is shown a refusal of a key that is not theirs.
        return outcome.deciding ? for_attempt(attempts[*outcome.deciding]) : model_unavailable();
    case route_verdict::served: break;
    }
    throw std::logic_error("a served request has an answer of its own");
}

} // namespace turnout::routing
