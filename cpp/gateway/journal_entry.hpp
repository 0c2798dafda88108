#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "codec/contracts/contract.hpp"
#include "gateway/attempt_log.hpp"
#include "journal/entry.hpp"
#include "routing/fallback_reason.hpp"

namespace turnout::gateway {

/// What the operation log is told beside the summary.
struct journal_facts {
    std::string_view call_type;
    std::string_view key_name;                     ///< empty if no key was needed
    std::optional<routing::fallback_reason> chain; ///< that the request went to
    bool client_left = false;                      ///< before it was answered
    std::optional<codec::token_usage> usage;       ///< of the answer
    base::instant now{};                           ///< the end, on both clocks
    base::wall_ms wall;
};

/// Writes the row of a finished logical request into an empty entry. No message of a provider goes in.
void write_entry(journal::request_entry& out, const request_summary& s, const journal_facts& facts);

} // namespace turnout::gateway
