#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// The OpenAI Responses protocol, over JSON and server-sent events.
const contract& instance();

} // namespace turnout::codec::responses
