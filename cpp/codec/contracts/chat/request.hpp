#pragma once

#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::chat {

/// Validates the whole body as JSON and reads `model`, `messages` (its presence), `stream`, `n` and `stream_options`.
std::variant<contract_request, request_problem> parse_request(std::string_view body);

base::edit_list upstream_edits(const contract_request& r, std::string_view upstream_model, bool ask_usage);

} // namespace turnout::codec::chat
