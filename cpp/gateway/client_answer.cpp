#include "gateway/client_answer.hpp"

#include <vector>

#include "codec/http1.hpp"
#include "routing/answer.hpp"
#include "routing/sanitize.hpp"

namespace turnout::gateway {

namespace {

// Of an extra header; shorter values are switches, and words of messages.
constexpr std::size_t shortest_secret = 8;

void write_ids(std::string& out, const served_contract& contract, std::string_view request_id) {
    codec::http1::write_header(out, "x-request-id", request_id);
    if (contract.anthropic) codec::http1::write_header(out, "request-id", request_id); // where its SDKs look
}

} // namespace

void write_json_fields(std::string& out, const served_contract& contract, std::string_view request_id) {
    out += "content-type: application/json\r\n";
    write_ids(out, contract, request_id);
}

std::string json_fields(const served_contract& contract, std::string_view request_id) {
    std::string fields;
    write_json_fields(fields, contract, request_id);
    return fields;
}

std::string json_fields(std::string_view request_id) {
    return json_fields(contract_of(contract_kind::chat), request_id);
}

std::string stream_fields(const served_contract& contract, std::string_view request_id) {
    std::string fields =
        "content-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\nx-accel-buffering: no\r\n";
    write_ids(fields, contract, request_id);
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
        std::vector<std::string_view> credentials{d.api_key};
        for (const auto& header : d.headers)
            if (header.value.size() >= shortest_secret) credentials.emplace_back(header.value);
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
