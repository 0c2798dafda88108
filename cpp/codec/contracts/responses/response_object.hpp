#pragma once

#include <optional>
#include <string_view>

#include "base/failure_report.hpp"
#include "codec/contracts/contract.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {

/// A Response object, read in place: a JSON answer is one, and the events of a stream's life carry one.
struct response_facts {
    std::string_view value;       ///< all of it; empty if there is none
    std::string_view model;       ///< a non-empty string, quotes included
    std::string_view id;          ///< likewise
    std::string_view previous_id; ///< likewise: of the response that it goes on from
    bool doubled = false;         ///< one of these names stands there again
    std::string_view status;      ///< as it is written
    std::string_view error;       ///< the value, if it says that something failed
    bool other_kind = false;      ///< calls itself an error
    bool has_output = false;      ///< has the array
    bool output = false;          ///< some item has output
    bool empty = true;            ///< no member at all
    std::optional<token_usage> usage;
};

/// Reads the object that begins at the scanner, which walks `text`.
response_facts read_response(std::string_view text, json::scanner& s);

/// A string that is not empty, with its quotes.
inline bool is_name(std::string_view value) { return value.size() > 2 && value.front() == '"'; }

/// What of a response the client sees under another name.
enum class renamed { model, id };

/// Whether a member of a Response object holds such a name.
std::optional<renamed> renamed_by(const json::string_token& member);

/// Calls `visit` with what each of these strings is and where it stands, quotes included.
template <class Visit>
void for_each_renamed(const response_facts& facts, Visit visit) {
    if (!facts.doubled) {
        if (!facts.model.empty()) visit(renamed::model, facts.model);
        if (!facts.id.empty()) visit(renamed::id, facts.id);
        if (!facts.previous_id.empty()) visit(renamed::id, facts.previous_id);
        return;
    }
    json::scanner s(facts.value);
    json::string_token name;
    std::string_view value;
    s.begin_object();
    while (s.next_member(name) && s.skip(value)) {
        if (const auto what = renamed_by(name); what && is_name(value)) visit(*what, value);
    }
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
