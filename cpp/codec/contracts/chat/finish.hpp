#pragma once

#include <cstdint>
#include <string_view>

#include "base/failure_report.hpp"

namespace turnout::codec::chat {

/// What a choice's `finish_reason` says.
enum class finish_kind : std::uint8_t {
    none,      ///< absent, null or empty: not finished
    ordinary,  ///< finished, whatever the word
    failed,    ///< `error`: a failure in disguise
    exhausted, ///< `insufficient_system_resource`: the upstream ran out of resources
};

/// `value` is the raw JSON value.
inline finish_kind finish_of(std::string_view value) {
    if (value.size() <= 2 || value.front() != '"') return finish_kind::none;
    if (value == R"("error")") return finish_kind::failed;
    if (value == R"("insufficient_system_resource")") return finish_kind::exhausted;
    return finish_kind::ordinary;
}

/// The failure that a finish reason `failed` or `exhausted` disguises. `error` is the object that stands beside it in
/// the choice, which then says more; empty if there is none.
base::failure_report disguised_failure(base::failure_origin origin, finish_kind finish, std::string_view error);

} // namespace turnout::codec::chat
