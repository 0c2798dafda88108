#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"
#include "gateway/deployment_table.hpp"
#include "gateway/served_contract.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::gateway {

/// Header lines of every answer to a request with this id; `write_` appends them.
void write_json_fields(std::string& out, const served_contract& contract, std::string_view request_id);
std::string json_fields(const served_contract& contract, std::string_view request_id);
std::string stream_fields(const served_contract& contract, std::string_view request_id);
/// Where no contract plays a part.
std::string json_fields(std::string_view request_id);

/// What a failed logical request is answered with.
struct client_answer {
    codec::public_error error;
    std::string fields; ///< `retry-after`, `x-should-retry`
};

/// `target` finds the deployment of an attempt, whose name and credentials are removed from provider messages.
client_answer answer_for(const routing::route_fsm& route,
                         const std::function<const deployment&(routing::position)>& target);

} // namespace turnout::gateway
