#pragma once

#include <cstdint>
#include <string_view>

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

} // namespace turnout::codec::chat
