#include "codec/contracts/chat/finish.hpp"

#include "codec/contracts/provider_error.hpp"

namespace turnout::codec::chat {

base::failure_report disguised_failure(base::failure_origin origin, finish_kind finish, std::string_view error) {
    base::failure_report report = in_band_failure(origin, error);
    const bool exhausted = finish == finish_kind::exhausted;
    if (report.code.empty()) report.code = exhausted ? "insufficient_system_resource" : "error";
    if (report.status == 0 && report.type.empty()) report.status = exhausted ? 503 : 500;
    return report;
}

} // namespace turnout::codec::chat
