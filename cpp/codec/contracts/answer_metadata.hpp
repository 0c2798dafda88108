#pragma once

#include <string_view>

#include "base/edit.hpp"

namespace turnout::codec {

/// Adds the edit that gives a JSON object, which has members already, the member `unified_routing`; it views the value.
void add_top_level_metadata(std::string_view object, base::edit_list& edits, std::string_view unified_routing_json);

} // namespace turnout::codec
