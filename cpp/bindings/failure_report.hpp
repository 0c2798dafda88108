#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/failure_report.hpp"

namespace turnout::bindings {

/// From what Python says. `std::invalid_argument` if no origin has that name or the wait is out of range.
base::failure_report make_report(const std::string& origin, int status, std::string code, std::string type,
                                 std::string param, std::string message, std::optional<std::int64_t> retry_after_ms);

} // namespace turnout::bindings
