#pragma once

#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// Validates the whole body as JSON and reads `model`, `input` (its type), `stream` and `background`.
std::variant<contract_request, request_problem> parse_request(std::string_view body);

} // namespace turnout::codec::responses
