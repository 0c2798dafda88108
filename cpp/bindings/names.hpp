#pragma once

#include <optional>
#include <string_view>

#include "base/failure_report.hpp"
#include "codec/contracts/contract.hpp"
#include "gateway/served_contract.hpp"
#include "gateway/simulated_request.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::bindings {

/// Python sees enumerators as strings of the same name.

std::string_view name_of(base::failure_origin origin);
std::string_view name_of(routing::route_verdict verdict);
std::string_view name_of(routing::circuit_phase phase);
std::string_view name_of(gateway::simulated_state state);
std::string_view name_of(codec::frame_class c);

/// Nothing if nothing is in the way.
std::optional<std::string_view> name_of(routing::obstacle why);

/// Nothing if no origin has the name.
std::optional<base::failure_origin> failure_origin_named(std::string_view name);

/// Throws `std::invalid_argument` if no contract that engine and trackers know has the name: chat, messages, responses.
const gateway::served_contract& contract_named(std::string_view name);

} // namespace turnout::bindings
