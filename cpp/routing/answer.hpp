#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "routing/route_fsm.hpp"

namespace turnout::routing {

/// What the caller is told about a logical request that was not served. A stream that is committed gets the same
/// in-band, where only type, code, param and message have a place.
struct caller_answer {
    int status = 500;
    std::string_view type;                        ///< in OpenAI's words; other contracts derive theirs from the status
    std::string code = {};                        ///< empty if there is none. The provider's own is not sanitized yet
    std::string param = {};                       ///< as `code`
    std::optional<std::int64_t> retry_after = {}; ///< whole seconds, at least 1
    bool should_retry_false = false;              ///< repeating is pointless, and official SDKs would repeat
    bool use_provider_message = false; ///< the deciding attempt's message, sanitized, if anything of it is left
    std::string message = {};          ///< what to say otherwise
};

/// Precondition: `outcome` and `attempts` are those of a finished `route_fsm`, and the verdict is not `served`
/// (`std::logic_error`). For a client that is gone the answer serves the log only.
caller_answer answer_for(const route_outcome& outcome, std::span<const attempt_record> attempts);

} // namespace turnout::routing
