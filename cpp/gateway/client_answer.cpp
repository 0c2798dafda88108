#include "gateway/client_answer.hpp"

#include <array>

#include "codec/http1.hpp"
#include "routing/answer.hpp"
#include "routing/sanitize.hpp"

namespace turnout::gateway {

void write_json_fields(std::string& out, std::string_view request_id) {
    out += "content-type: application/json\r\n";
    codec::http1::write_header(out, "x-request-id", request_id);
}

std::string json_fields(std::string_view request_id) {
    std::string fields;
    write_json_fields(fields, request_id);
    return fields;
}

std::string stream_fields(std::string_view request_id) {
    std::string fields =
        "content-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\nx-accel-buffering: no\r\n";
    codec::http1::write_header(fields, "x-request-id", request_id);
    return fields;
}

client_answer answer_for(const routing::route_fsm& route,
                         const std::function<const deployment&(routing::position)>& target) {
    auto told = routing::answer_for(route.outcome(), route.attempts());
    client_answer answer;
    auto& error = answer.error;
    error.status = told.status;
    error.type = told.type;
    if (told.use_provider_message) {
        const auto& attempt = route.attempts()[*route.outcome().deciding];
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
