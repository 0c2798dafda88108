#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::messages {

/// A 2xx JSON body is an answer when it is an object with a `content` array and without an error.
/// `public_model` is a JSON string, which the edits view.
answer_verdict check_answer(std::string_view body, std::string_view public_model);

/// A 2xx JSON body counts tokens when it is an object with an integer `input_tokens`, not negative, and without an error.
answer_verdict check_count(std::string_view body);

} // namespace turnout::codec::messages
