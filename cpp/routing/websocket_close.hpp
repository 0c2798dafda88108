#pragma once

#include <string_view>

#include "routing/failure_class.hpp"

namespace turnout::routing {

/// The class of a WebSocket that the upstream closed with this code (RFC 6455, section 7.4) and reason. Codes that mean
/// overload, restart or an abnormal end may pass by themselves; those that speak of keys and accounts do not.
failure_class class_of_close(int code, std::string_view reason);

} // namespace turnout::routing
