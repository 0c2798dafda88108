#include "codec/contracts/answer_metadata.hpp"

#include <cstddef>

#include "codec/edits.hpp"

namespace turnout::codec {

void add_top_level_metadata(std::string_view object, base::edit_list& edits, std::string_view unified_routing_json) {
    const std::size_t end = object.find_last_of('}');
    insert_sorted(edits, {end, 0, R"(,"unified_routing":)"});
    insert_sorted(edits, {end, 0, unified_routing_json});
}

} // namespace turnout::codec
