#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::chat {

/// The OpenAI chat completions protocol.
const contract& instance();

} // namespace turnout::codec::chat
