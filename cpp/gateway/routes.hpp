#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gateway/served_contract.hpp"
#include "gateway/stored_call.hpp"

namespace turnout::gateway {

enum class route {
    chat_completions,
    messages,
    count_tokens,
    responses,
    stored_response, ///< that a client was given before
    stored_input,    ///< of such a response
    stored_cancel,
    models,
    model,
    deployments,
    health_live,
    health_ready,
};

/// The target without its query, without scheme and authority where a client that takes this for a proxy names them
/// (RFC 9112, 3.2.2), and with `/v1` once where an SDK of Anthropic's appended it to a base URL that has it.
std::string_view path_of(std::string_view target);

std::optional<route> find_route(std::string_view path);

/// What is asked at a route of stored responses; nothing at others.
stored_call stored_call_at(route r, std::string_view method, std::string_view target);

/// The contract whose requests a route takes; nothing if it takes none.
std::optional<contract_kind> contract_at(route r);

/// The contract in whose shape errors at this path are told, whether there is something at it or not.
contract_kind error_shape_at(std::string_view path);

/// The methods that a route answers, as an `Allow` value.
std::string_view allowed_methods(route r);
bool allows(route r, std::string_view method);

/// Whether this is where a WebSocket begins: GET at a route that takes requests over one.
bool begins_socket(route r, std::string_view method);

/// Whether a client must show a key.
bool needs_key(route r);

/// What follows `/v1/models/`, without `/deployments` at the end where the route is that, percent-decoded; nothing if
/// the encoding is broken.
std::optional<std::string> model_segment(std::string_view path);

} // namespace turnout::gateway
