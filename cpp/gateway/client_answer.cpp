#include "gateway/client_answer.hpp"

#include <array>

#include "codec/http1.hpp"
#include "routing/answer.hpp"
#include "routing/sanitize.hpp"

namespace turnout::gateway {

namespace {

std::string fields_of(std::string_view first, std::string_view request_id) {
    std::string fields;
    fields.reserve(first.size() + request_id.size() + 32);
    fields += first;
    codec::http1::write_header(fields, "x-request-id", request_id);
    return fields;
}

} // namespace

std::string json_fields(std::string_view request_id) {
    return fields_of("content-type: application/json\r\n", request_id);
}

std::string stream_fields(std::string_view request_id) {
    return fields_of(
        "content-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\nx-accel-buffering: no\r\n",
        request_id);
}

client_answer answer_for(const routing::route_fsm& route,
                         const std::function<const deployment&(routing::position)>& target) {
    auto told = routing::answer_for(route.outcome(), route.attempts());
    client_answer answer;
    auto& error = answer.error;
    error.status = told.status;
    error.type = told.type;
    if (told.use_provider_message) {
        const auto& attempt = route.attempts().at(*route.outcome().deciding);
        const auto& d = target(attempt.target).settings;
        const std::array<std::string_view, 1> credentials{d.api_key};
        const routing::hidden_words hidden{d.upstream_model, d.public_model, d.base_url, credentials};
        error.message = routing::sanitize(attempt.report.message, hidden);
        error.code = routing::sanitize(told.code, hidden);
        error.param = routing::sanitize(told.param, hidden);
    } else {
        error.code = std::move(told.code);
        error.param = std::move(told.param);
    }
    if (error.message.empty()) error.message = std::move(told.message);
    if (told.retry_after)
        codec::http1::write_header(answer.fields, "retry-after", static_cast<std::uint64_t>(*told.retry_after));
    if (told.should_retry_false) codec::http1::write_header(answer.fields, "x-should-retry", "false");
    return answer;
}

} // namespace turnout::gateway
