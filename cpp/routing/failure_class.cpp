#include "routing/failure_class.hpp"

#include "routing/message_wait.hpp"
#include "routing/recognition.hpp"
#include "routing/websocket_close.hpp"

namespace turnout::routing {

namespace {

failure_class payment_required(const provider_words& words) {
    if (words.asks_to_wait) return failure_class::throttle;
    if (asks_for_too_many_tokens(words)) return failure_class::incompatible;
    return failure_class::configuration;
}

/// Two providers use 498, for opposite things.
failure_class by_body_of_498(const provider_words& words) {
    if (words.message.find("capacity") != std::string::npos) return failure_class::throttle;
    if (words.message.find("token") != std::string::npos) return failure_class::configuration;
    return failure_class::request;
}

failure_class by_status(const provider_words& words) {
    switch (words.status) {
    case 401:
    case 403:
    case 405:
    case 410:
    case 426: return failure_class::configuration;
    case 402: return payment_required(words);
    case 404: return is_missing_resource(words) ? failure_class::request : failure_class::configuration;
    case 408:
    case 421:
    case 424:
    case 425:
    case 499: return failure_class::transient;
    case 429: return failure_class::throttle;
    case 498: return by_body_of_498(words);
    default: break;
    }
    if (words.status >= 300 && words.status < 400) return failure_class::configuration;
    if (words.status >= 400 && words.status < 500) return failure_class::request;
    return failure_class::transient; // 5xx, and numbers that no server should send
}

/// Most telling first: what is said in so many words beats codes, and codes beat the status.
classified by_answer(const provider_words& words) {
    if (is_disguised_account_fault(words)) return {.value = failure_class::configuration};
    if (is_context_window(words)) return {.value = failure_class::context_window};
    if (is_content_policy(words)) return {.value = failure_class::content_policy};
    if (is_quota_exhausted(words)) return {.value = failure_class::throttle, .quota_exhausted = !words.asks_to_wait};
    if (is_larger_than_rate_limit(words)) return {.value = failure_class::incompatible};
    if (words.says("modelnotready")) return {.value = failure_class::transient};
    // A tool that the request names does not answer: no other deployment can help that.
    if (words.says("external_connector_error")) return {.value = failure_class::request};
    if (is_throttle_code(words)) return {.value = failure_class::throttle};
    return {.value = by_status(words)};
}

std::optional<base::milliseconds> wait_of(const base::failure_report& report, const provider_words& words,
                                          const classified& c) {
    if (report.retry_after) return report.retry_after;
    if (c.value != failure_class::throttle || c.quota_exhausted) return std::nullopt;
    return report.refill ? report.refill : wait_in_message(words.message);
}

classified judge(const base::failure_report& report) {
    const auto words = read_words(report);
    auto c = by_answer(words);
    c.wait = wait_of(report, words, c);
    c.missing_path = c.value == failure_class::configuration && !words.in_band && is_missing_operation(words);
    return c;
}

} // namespace

std::string_view to_string(failure_class c) {
    switch (c) {
    case failure_class::request: return "request";
    case failure_class::context_window: return "context_window";
    case failure_class::content_policy: return "content_policy";
    case failure_class::throttle: return "throttle";
    case failure_class::transient: return "transient";
    case failure_class::configuration: return "configuration";
    case failure_class::incompatible: return "incompatible";
    case failure_class::gateway: return "gateway";
    }
    return "unknown";
}

classified classify(const base::failure_report& report) {
    switch (report.origin) {
    case base::failure_origin::client_gone:
    case base::failure_origin::client_stalled:
    case base::failure_origin::paused_timeout:
    case base::failure_origin::gateway: return {.value = failure_class::gateway};
    case base::failure_origin::not_carried: return {.value = failure_class::incompatible};
    case base::failure_origin::websocket_closed: return {.value = class_of_close(report.status, report.message)};
    case base::failure_origin::connect_failed:
    case base::failure_origin::tls_failed:
    case base::failure_origin::connection_lost:
    case base::failure_origin::malformed_http:
    case base::failure_origin::malformed_body:
    case base::failure_origin::body_truncated:
    case base::failure_origin::stream_truncated:
    case base::failure_origin::response_timeout:
    case base::failure_origin::idle_timeout:
    case base::failure_origin::total_timeout: return {.value = failure_class::transient};
    case base::failure_origin::upstream_answer:
    case base::failure_origin::error_in_answer:
    case base::failure_origin::error_event: return judge(report);
    }
    return {.value = failure_class::transient};
}

} // namespace turnout::routing
