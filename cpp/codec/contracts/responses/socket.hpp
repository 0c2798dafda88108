#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// The contract of turns over a WebSocket: requests are `socket_request` messages, errors are frames with a status, and
/// all else is as over events.
const contract& socket_instance();

} // namespace turnout::codec::responses
