#pragma once

#include "gateway/stored_call.hpp"
#include "gateway/worker_context.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// Asks the deployment that has the response, and no other; refuses the request if nobody here has it.
void answer_stored(worker_context& worker, const net::exchange_ptr& x, const stored_call& call);

} // namespace turnout::gateway
