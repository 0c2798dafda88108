#include "codec/contracts/responses/response_object.hpp"

#include <string>

#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/output.hpp"

namespace turnout::codec::responses {
namespace {

void read_plain_member(json::scanner& s, const json::string_token& name, response_facts& facts) {
    const json::kind kind = s.peek();
    std::string_view value;
    if (!s.skip(value)) return;
    if (name.equals("model")) {
        if (is_text(value)) facts.model.found(value);
    } else if (name.equals("id")) {
        if (is_text(value)) facts.id.found(value);
    } else if (name.equals("previous_response_id")) {
        if (is_text(value)) facts.previous_id.found(value);
    } else if (name.equals("status")) {
        facts.status = value;
    } else if (name.equals("error")) {
        facts.error = is_error_value(kind, value) ? value : std::string_view{};
    } else if (name.equals("object") || name.equals("type")) {
        facts.other_kind = value == R"("error")" || facts.other_kind;
    }
}

} // namespace

response_facts read_response(std::string_view text, json::scanner& s) {
    response_facts facts;
    if (s.peek() != json::kind::object) {
        s.skip();
        return facts;
    }
    const std::size_t start = s.offset();
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        facts.empty = false;
        if (name.equals("output") && s.peek() == json::kind::array) {
            facts.has_output = true;
            facts.output = read_items(s);
        } else if (name.equals("usage")) {
            facts.usage = read_usage(s);
        } else {
            read_plain_member(s, name, facts);
        }
    }
    facts.value = text.substr(start, s.offset() - start);
    return facts;
}

response_end end_of(const response_facts& facts) {
    if (!facts.error.empty() || facts.status == R"("failed")") return response_end::failed;
    if (facts.status == R"("cancelled")") return response_end::cancelled;
    if (facts.status == R"("queued")" || facts.status == R"("in_progress")") return response_end::unfinished;
    return response_end::answered;
}

base::failure_report failed_response(base::failure_origin origin, const response_facts& facts) {
    if (!facts.error.starts_with('"')) return in_band_failure(origin, facts.error);
    return in_band_failure(origin, R"({"message":)" + std::string(facts.error) + '}');
}

base::failure_report cancelled_response(base::failure_origin origin, const response_facts& facts) {
    base::failure_report report = failed_response(origin, facts);
    report.status = 400;
    if (report.code.empty()) report.code = "response_cancelled";
    if (report.message.empty()) report.message = "The response was cancelled.";
    return report;
}

} // namespace turnout::codec::responses
