#pragma once

#include <string_view>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// An answer that is the JSON value `value` of `body`, blank space around it dropped. Its model, a part of the body with
/// quotes or empty, is replaced by `public_model`, a JSON string that the edit views.
accepted_answer accept(std::string_view body, std::string_view value, std::string_view model,
                       std::string_view public_model);

} // namespace turnout::codec
