#pragma once

#include <string>
#include <string_view>

#include "base/failure_report.hpp"

namespace turnout::routing {

/// What a provider said about a failure, ready for comparison. Texts are in lower case.
struct provider_words {
    int status = 0; ///< of the HTTP answer; for an error inside a 2xx answer the status that it stands for
    std::string code;
    std::string type;
    std::string param;
    std::string message;
    bool in_band = false;           ///< the error came inside a 2xx answer
    bool asks_to_wait = false;      ///< the answer says how long to wait
    bool daily_quota_spent = false; ///< as the report says

    bool says(std::string_view code_or_type) const { return code == code_or_type || type == code_or_type; }
};

/// Precondition: the report comes from an answer (`upstream_answer`, `error_in_answer` or `error_event`).
provider_words read_words(const base::failure_report& report);

/// Whether the fragments of `pattern`, which stars separate, occur in `text` in that order without overlap.
bool contains_in_order(std::string_view text, std::string_view pattern);

/// The account or its key is at fault, although the status or the words blame the request.
bool is_disguised_account_fault(const provider_words& words);

/// The request is larger than the model's context window.
bool is_context_window(const provider_words& words);

/// The provider's policy forbids the request's content.
bool is_content_policy(const provider_words& words);

/// The account is spent until somebody pays or a long period ends.
bool is_quota_exhausted(const provider_words& words);

/// The request alone is larger than what the account may use in a minute: it never fits there, but may fit elsewhere.
bool is_larger_than_rate_limit(const provider_words& words);

/// Code or type say that the account is out of capacity for now.
bool is_throttle_code(const provider_words& words);

/// Of a 402: another request, that asks for fewer tokens, would have been served.
bool asks_for_too_many_tokens(const provider_words& words);

/// Of a 404: what does not exist is a thing that the request names (a response, a file), not the model or the URL.
bool is_missing_resource(const provider_words& words);

/// There is no such operation at the upstream, which may serve others all the same.
bool is_missing_operation(const provider_words& words);

} // namespace turnout::routing
