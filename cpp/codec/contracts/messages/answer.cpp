#include "codec/contracts/messages/answer.hpp"

#include <optional>

#include "codec/contracts/accept.hpp"
#include "codec/contracts/messages/block.hpp"
#include "codec/contracts/messages/usage.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::messages {
namespace {

struct answer_facts {
    bool error = false;   ///< says that something failed
    bool content = false; ///< has the array
    bool output = false;  ///< some block has output
    bool stopped = false; ///< has a stop reason
    named_member model;
    usage_counts usage;
    std::optional<std::int64_t> input_tokens; ///< at the top
};

void read_content(json::scanner& s, answer_facts& facts) {
    facts.content = true;
    s.begin_array();
    while (s.next_element()) {
        if (s.peek() == json::kind::object) {
            facts.output = read_block(s).semantic || facts.output;
        } else {
            s.skip();
        }
    }
}

void read_member(json::scanner& s, const json::string_token& name, answer_facts& facts) {
    std::string_view value;
    if (name.equals("content") && s.peek() == json::kind::array) {
        read_content(s, facts);
    } else if (name.equals("usage")) {
        facts.usage = read_usage(s);
    } else if (!s.skip(value)) {
        return;
    } else if (name.equals("model")) {
        if (is_text(value)) facts.model.found(value);
    } else if (name.equals("stop_reason")) {
        facts.stopped = is_text(value);
    } else if (name.equals("error")) {
        facts.error = is_error_value(json::kind_of(value.front()), value) || facts.error;
    } else if (name.equals("type") || name.equals("object")) {
        facts.error = value == R"("error")" || facts.error;
    } else if (name.equals("input_tokens")) {
        facts.input_tokens = json::to_integer(value);
    }
}

/// Reads the whole body into `facts`; a failure when it is no JSON object, or says that something failed.
std::optional<base::failure_report> read(std::string_view body, answer_facts& facts) {
    json::scanner s(body);
    const json::kind kind = s.peek();
    if (kind == json::kind::object) {
        json::string_token name;
        s.begin_object();
        while (s.next_member(name)) read_member(s, name, facts);
    } else {
        s.skip();
    }
    if (!s.finish()) return malformed_body();
    if (kind == json::kind::object && !facts.error) return std::nullopt;
    base::failure_report report = in_band_failure(base::failure_origin::error_in_answer, body);
    // Errors may be wrapped in an array.
    return facts.error || !report.message.empty() ? report : malformed_body();
}

} // namespace

answer_verdict check_answer(std::string_view body, std::string_view public_model) {
    answer_facts facts;
    if (const auto report = read(body, facts)) return *report;
    if (!facts.content) return malformed_body();
    accepted_answer accepted = accept(body, json::trim(body), facts.model, public_model);
    accepted.usage = facts.usage.total();
    if (!facts.output) accepted.anomalies.push_back(anomaly::empty_output);
    if (!facts.stopped) accepted.anomalies.push_back(anomaly::missing_finish_reason);
    return accepted;
}

answer_verdict check_count(std::string_view body) {
    answer_facts facts;
    if (const auto report = read(body, facts)) return *report;
    if (facts.input_tokens.value_or(-1) < 0) return malformed_body();
    return accept(body, json::trim(body), {}, {});
}

} // namespace turnout::codec::messages
