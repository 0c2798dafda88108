#include "codec/contracts/responses/answer.hpp"

#include "codec/contracts/accept.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/response_object.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {
namespace {

constexpr base::failure_origin in_answer = base::failure_origin::error_in_answer;

accepted_answer renamed_answer(std::string_view body, const response_facts& facts, std::string_view public_model) {
    accepted_answer accepted = accept(body, facts.value, {}, public_model);
    for_each_renamed(facts, [&](renamed what, std::string_view value) {
        const byte_range range{static_cast<std::size_t>(value.data() - body.data()), value.size()};
        if (what == renamed::id) {
            accepted.ids.push_back(range);
        } else if (value != public_model) {
            insert_sorted(accepted.edits, {range.offset, range.length, public_model});
        }
    });
    return accepted;
}

} // namespace

answer_verdict check_answer(std::string_view body, std::string_view public_model) {
    json::scanner s(body);
    const bool array = s.peek() == json::kind::array;
    const response_facts facts = read_response(body, s);
    if (!s.finish()) return malformed_body();
    if (array) { // one provider wraps its errors in an array
        base::failure_report report = in_band_failure(in_answer, body);
        return report.message.empty() ? malformed_body() : std::move(report);
    }
    if (facts.other_kind) return in_band_failure(in_answer, body);
    // Where there is no response, what stands around the error belongs to it.
    if (!facts.error.empty() && !facts.has_output && facts.status.empty()) return in_band_failure(in_answer, body);
    switch (end_of(facts)) {
    case response_end::failed: return failed_response(in_answer, facts);
    case response_end::cancelled: return cancelled_response(in_answer, facts);
    case response_end::unfinished: return malformed_body();
    case response_end::answered: break;
    }
    if (!facts.has_output) return malformed_body();
    accepted_answer accepted = renamed_answer(body, facts, public_model);
    accepted.usage = facts.usage;
    if (!facts.output) accepted.anomalies.push_back(anomaly::empty_output);
    return accepted;
}

answer_verdict check_stored(std::string_view body, std::string_view public_model) {
    json::scanner s(body);
    const bool object = s.peek() == json::kind::object;
    const response_facts facts = read_response(body, s);
    if (!s.finish() || !object) return malformed_body();
    const bool only_an_error = !facts.error.empty() && facts.id.value.empty() && facts.status.empty();
    if (facts.other_kind || only_an_error) return in_band_failure(in_answer, body);
    return renamed_answer(body, facts, public_model);
}

bool says_nothing(std::string_view body) {
    const auto value = json::trim(body);
    return value.empty() || value == "null";
}

std::string deletion(std::string_view id) {
    return R"({"id":)" + std::string(id) + R"(,"object":"response","deleted":true})";
}

} // namespace turnout::codec::responses
