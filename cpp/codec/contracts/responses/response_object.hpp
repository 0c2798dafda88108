#pragma once

#include <optional>
#include <string_view>

#include "base/failure_report.hpp"
#include "codec/contracts/accept.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {

/// A Response object, read in place: a JSON answer is one, and the events of a stream's life carry one.
struct response_facts {
    std::string_view value; ///< all of it; empty if there is none
    named_member model;
    named_member id;
    named_member previous_id; ///< of the response that it goes on from
    std::string_view status;  ///< as it is written
    std::string_view error;   ///< the value, if it says that something failed
    bool other_kind = false;  ///< calls itself an error
    bool has_output = false;  ///< has the array
    bool output = false;      ///< some item has output
    bool empty = true;        ///< no member at all
    std::optional<token_usage> usage;
};

/// Reads the object that begins at the scanner, which walks `text`.
response_facts read_response(std::string_view text, json::scanner& s);

/// What of a response the client sees under another name.
enum class renamed { model, id };

/// Calls `visit` with what each of these strings is and where it stands, quotes included.
template <class Visit>
void for_each_renamed(const response_facts& facts, Visit visit) {
    const auto visit_all = [&](std::string_view name, const named_member& known, renamed what) {
        for_each_value(facts.value, name, known, [&](std::string_view value) { visit(what, value); });
    };
    visit_all("model", facts.model, renamed::model);
    visit_all("id", facts.id, renamed::id);
    visit_all("previous_response_id", facts.previous_id, renamed::id);
}

/// What became of a response.
enum class response_end {
    answered,   ///< completed, or incomplete, which is an answer too; also a status that nobody knows
    unfinished, ///< queued or in progress
    failed,     ///< says so, or names an error
    cancelled,
};
response_end end_of(const response_facts& facts);

/// What a response that failed says of it.
base::failure_report failed_response(base::failure_origin origin, const response_facts& facts);
/// Whoever cancelled a response wanted no other: that is about this request, not about the upstream.
base::failure_report cancelled_response(base::failure_origin origin, const response_facts& facts);

} // namespace turnout::codec::responses
