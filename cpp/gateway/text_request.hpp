#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "codec/contracts/contract.hpp"
#include "gateway/served_contract.hpp"
#include "gateway/upstream_sockets.hpp"
#include "gateway/worker_context.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// No public model has this name.
codec::public_error no_such_model(std::string_view model);

/// Where requests of a contract for a public model go, or why nowhere. Lives as long as the worker.
std::variant<const model_routes*, codec::public_error>
find_routes(const worker_context& worker, const served_contract& contract, std::string_view model);

/// Whether the client asks for `unified_routing`.
bool wants_metadata(const codec::http1::head& head);

/// Refuses the request in the exchange's body, or begins the logical request that it is.
void answer_text(worker_context& worker, const net::exchange_ptr& x, const served_contract& contract);

/// As `answer_text`, for a body that was read already. `id` is from the worker's buffers; `sockets` are those of the
/// client's WebSocket.
void answer_text(worker_context& worker, const net::exchange_ptr& x, const served_contract& contract, std::string&& id,
                 codec::contract_request&& request, upstream_sockets_ptr sockets = nullptr);

} // namespace turnout::gateway
