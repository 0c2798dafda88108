#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "journal/entry.hpp"

namespace turnout::journal {

/// Which logical requests are wanted; everything that is given must hold.
struct filter {
    std::optional<std::string> request_id = {};
    std::optional<std::string> public_model = {};
    std::optional<std::string> call_type = {};
    std::optional<std::string> outcome = {};
    std::optional<bool> stream = {};
    std::optional<bool> degraded = {};
    std::optional<base::milliseconds> min_duration = {}; ///< inclusive
    std::optional<base::milliseconds> max_duration = {}; ///< inclusive
    std::optional<base::wall_ms> start = {};             ///< started then or later
    std::optional<base::wall_ms> end = {};               ///< started before
    // Held by at least one attempt, each by whichever it is.
    std::optional<std::string> deployment = {};
    std::optional<std::string> adapter = {};
    std::optional<std::string> failure = {};
};

bool matches(const filter& f, const request_entry& e);

} // namespace turnout::journal
