#include "codec/contracts/contract.hpp"

#include "codec/contracts/request_reader.hpp"
#include "codec/edits.hpp"

namespace turnout::codec {

std::string_view to_string(anomaly a) {
    switch (a) {
    case anomaly::missing_done: return "missing_done";
    case anomaly::missing_finish_reason: return "missing_finish_reason";
    case anomaly::missing_message_stop: return "missing_message_stop";
    case anomaly::missing_content_block_stop: return "missing_content_block_stop";
    case anomaly::empty_output: return "empty_output";
    case anomaly::unclean_close: return "unclean_close";
    case anomaly::unmet_n: return "unmet_n";
    case anomaly::non_stream_answer: return "non_stream_answer";
    case anomaly::error_after_finish: return "error_after_finish";
    case anomaly::malformed_keepalive: return "malformed_keepalive";
    }
    return {};
}

base::edit_list contract::upstream_edits(const contract_request& r, std::string_view upstream_model,
                                         bool /*ask_usage*/) const {
    base::edit_list edits;
    add_model_edit(edits, r, upstream_model);
    return edits;
}

void contract::insert_metadata(std::string_view body, base::edit_list& edits,
                               std::string_view unified_routing_json) const {
    const std::size_t end = body.find_last_of('}');
    insert_sorted(edits, {end, 0, R"(,"unified_routing":)"});
    insert_sorted(edits, {end, 0, unified_routing_json});
}

} // namespace turnout::codec
