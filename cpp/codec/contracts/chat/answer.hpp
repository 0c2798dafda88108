#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::chat {

/// A 2xx JSON body is an answer when it is an object with a `choices` array and without an error.
/// `public_model` is a JSON string, which the edits view.
answer_verdict check_answer(std::string_view body, std::string_view public_model);

} // namespace turnout::codec::chat
