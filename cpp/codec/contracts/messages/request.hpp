#pragma once

#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::messages {

/// Validates the whole body as JSON and reads `model`, `messages` (its presence), `max_tokens` (likewise) and `stream`.
std::variant<contract_request, request_problem> parse_request(std::string_view body);

/// As `parse_request`, of a request to count tokens: it needs no `max_tokens`. Its answer is JSON whatever it says of
/// `stream`, which is left to the provider, who refuses the member.
std::variant<contract_request, request_problem> parse_count_request(std::string_view body);

} // namespace turnout::codec::messages
