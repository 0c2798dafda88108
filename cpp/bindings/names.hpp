#pragma once

#include <optional>
#include <string_view>

#include "base/failure_report.hpp"
#include "codec/contracts/contract.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::bindings {

/// Python sees enumerators as strings of the same name.

std::string_view name_of(base::failure_origin origin);
std::string_view name_of(routing::route_action_type type);
std::string_view name_of(routing::route_verdict verdict);
std::string_view name_of(codec::frame_class c);

/// The reverse; nothing if no origin has the name.
std::optional<base::failure_origin> failure_origin_named(std::string_view name);

} // namespace turnout::bindings
