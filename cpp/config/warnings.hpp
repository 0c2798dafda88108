#pragma once

#include "config/configuration.hpp"
#include "config/load.hpp"

namespace turnout::config {

/// What is allowed and probably not meant: fallback chains that some requests for their primary model can never follow,
/// since none of the chain's enabled deployments speaks their protocol. Each with the path of what it is about.
problems warnings(const configuration& settings);

} // namespace turnout::config
