#pragma once

#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// A 2xx JSON body is an answer when it is an object with an `output` array, without an error, and completed or
/// incomplete. `public_model` is a JSON string, which the edits view.
answer_verdict check_answer(std::string_view body, std::string_view public_model);

/// A 2xx JSON body that tells of a response that was given before is an object that is no error: the response, however
/// it ended, its input, or that it is deleted. `public_model` as above.
answer_verdict check_stored(std::string_view body, std::string_view public_model);

/// Whether the body of a 2xx says nothing, as many servers have it where something was deleted: blank, or null.
bool says_nothing(std::string_view body);

/// What OpenAI says of a response that was deleted. `id` is a JSON string.
std::string deletion(std::string_view id);

} // namespace turnout::codec::responses
