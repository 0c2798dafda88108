#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::chat {

/// A 2xx JSON body is an answer when it is an object with a `choices` array and without an error.
/// `public_model` is a JSON string, which the edits view.
answer_verdict check_answer(std::string_view body, std::string_view public_model);

/// The edits view `unified_routing_json`.
void insert_metadata(std::string_view body, base::edit_list& edits, std::string_view unified_routing_json);

} // namespace turnout::codec::chat
