#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// The OpenAI Responses protocol, over JSON and server-sent events.
const contract& instance();

/// What is asked about a response that was given before: it again, its input, its deletion. Such requests have no body.
const contract& stored_instance();

} // namespace turnout::codec::responses
