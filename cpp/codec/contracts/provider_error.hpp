#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/failure_report.hpp"
#include "base/time.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec {

/// What an error body says, whoever wrote it.
struct error_facts {
    int status = 0; ///< a number from 400 to 599 that the body gives as code or status; 0 if none
    std::string code;
    std::string type;
    std::string param;
    std::string message;
    std::optional<base::milliseconds> retry_after;
    bool daily_quota_spent = false; ///< a quota per day is named as the one that is used up
};

/// True when this value of a member `error` says that something failed: an object or a non-empty string.
bool is_error_value(json::kind kind, std::string_view value);

/// Reads the shapes of the providers: nested, flat, in an array, a string as `error`, `detail` lists, an error inside an
/// error. Nothing for what is no JSON object (or array of one), such as HTML.
std::optional<error_facts> read_error(std::string_view body);

/// As `read_error`, also for a body that is nothing but a JSON string.
std::optional<error_facts> read_error_answer(std::string_view body);

/// A report of an error that came inside a 2xx answer.
base::failure_report in_band_failure(base::failure_origin origin, std::string_view body);

/// A report of a 2xx body that is nothing of what the protocol has.
base::failure_report malformed_body();

/// Reads the body of an answer that is not 2xx into the report (code, type, param, message). HTML gives nothing.
void read_error_body(std::string_view body, base::failure_report& into);

} // namespace turnout::codec
