#pragma once

#include "codec/contracts/contract.hpp"

namespace turnout::codec::responses {

/// The contract of turns over a WebSocket: requests are `socket_request` messages, errors are frames with a status, and
/// all else is as over events.
const contract& socket_instance();

/// The edits that turn a client's message into the one that a deployment gets over a WebSocket. They view as those of
/// `contract::upstream_edits` do.
base::edit_list message_edits(const contract_request& r, std::string_view upstream_model);

} // namespace turnout::codec::responses
