#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace turnout::journal {

/// `op_` and the 16 hexadecimal digits of a row's number.
std::string operation_id(std::int64_t number);
/// The number again; nothing if `operation_id` never gave that text.
std::optional<std::int64_t> operation_number(std::string_view id);

/// What an empty log counts from. Numbers rise with time across logs that were begun one after the other, so that an id
/// of a lost one is not given again.
std::int64_t first_number(base::wall_ms begun);

} // namespace turnout::journal
