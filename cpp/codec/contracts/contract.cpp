#include "codec/contracts/contract.hpp"

namespace turnout::codec {

std::string_view to_string(anomaly a) {
    switch (a) {
    case anomaly::missing_done: return "missing_done";
    case anomaly::missing_finish_reason: return "missing_finish_reason";
    case anomaly::missing_message_stop: return "missing_message_stop";
    case anomaly::empty_output: return "empty_output";
    case anomaly::unclean_close: return "unclean_close";
    case anomaly::unmet_n: return "unmet_n";
    case anomaly::non_stream_answer: return "non_stream_answer";
    case anomaly::error_after_finish: return "error_after_finish";
    case anomaly::malformed_keepalive: return "malformed_keepalive";
    }
    return {};
}

} // namespace turnout::codec
