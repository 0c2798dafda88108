#include "codec/contracts/chat/answer.hpp"

#include <utility>

#include "codec/contracts/accept.hpp"
#include "codec/contracts/chat/finish.hpp"
#include "codec/contracts/chat/output.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {
namespace {

struct answer_facts {
    bool error = false;   ///< says that something failed
    bool choices = false; ///< has the array
    bool output = false;  ///< some choice has output
    bool unfinished = false;
    finish_kind failure = finish_kind::none; ///< a finish reason that is a failure in disguise
    std::string_view failure_error;          ///< the object that stands beside it
    named_member model;
    std::optional<token_usage> usage;
    std::optional<token_usage> groq_usage;
};

void read_choice(json::scanner& s, answer_facts& facts) {
    if (s.peek() != json::kind::object) {
        s.skip();
        return;
    }
    finish_kind finish = finish_kind::none;
    std::string_view error;
    json::string_token name;
    s.begin_object();
    while (s.next_member(name)) {
        if (name.equals("message") && s.peek() == json::kind::object) {
            facts.output = read_output(s).semantic || facts.output;
        } else if (name.equals("finish_reason")) {
            std::string_view value;
            if (s.skip(value)) finish = finish_of(value);
        } else if (name.equals("error") && s.peek() == json::kind::object) {
            s.skip(error);
        } else {
            s.skip();
        }
    }
    if (finish == finish_kind::none) facts.unfinished = true;
    if (finish == finish_kind::failed || finish == finish_kind::exhausted) {
        facts.failure = finish;
        facts.failure_error = error;
    }
}

void read_member(json::scanner& s, const json::string_token& name, answer_facts& facts) {
    const json::kind kind = s.peek();
    std::string_view value;
    if (name.equals("choices") && kind == json::kind::array) {
        facts.choices = true;
        s.begin_array();
        while (s.next_element()) read_choice(s, facts);
    } else if (name.equals("usage")) {
        facts.usage = read_usage(s);
    } else if (name.equals("x_groq")) {
        const groq_facts groq = read_groq(s);
        facts.groq_usage = groq.usage;
        facts.error = groq.error || facts.error;
    } else if (!s.skip(value)) {
        return;
    } else if (name.equals("model")) {
        if (kind == json::kind::string && value.size() > 2) facts.model.found(value);
    } else if (name.equals("error")) {
        facts.error = is_error_value(kind, value) || facts.error;
    } else if (name.equals("object") || name.equals("type")) {
        facts.error = value == R"("error")" || facts.error;
    }
}

} // namespace

answer_verdict check_answer(std::string_view body, std::string_view public_model) {
    answer_facts facts;
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
    if (kind == json::kind::array) { // one provider wraps its errors in an array
        base::failure_report report = in_band_failure(base::failure_origin::error_in_answer, body);
        if (report.message.empty()) return malformed_body();
        return report;
    }
    if (facts.error) return in_band_failure(base::failure_origin::error_in_answer, body);
    if (!facts.choices) return malformed_body();
    if (facts.failure != finish_kind::none) {
        return disguised_failure(base::failure_origin::error_in_answer, facts.failure, facts.failure_error);
    }

    accepted_answer accepted = accept(body, json::trim(body), facts.model, public_model);
    accepted.usage = facts.usage ? facts.usage : facts.groq_usage;
    if (!facts.output) accepted.anomalies.push_back(anomaly::empty_output);
    if (facts.unfinished) accepted.anomalies.push_back(anomaly::missing_finish_reason);
    return accepted;
}

} // namespace turnout::codec::chat
