#pragma once

#include <vector>

#include "config/configuration.hpp"
#include "config/reader.hpp"

namespace turnout::config {

/// Gives each deployment without an `id` its label, if no other deployment has that as its label or `id`, else
/// `publicModel#index`. Reports ids that are not unique.
void assign_ids(const field& section, std::vector<deployment>& deployments);

} // namespace turnout::config
