#include "routing/websocket_close.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.hpp"

namespace turnout::routing {
namespace {

constexpr int policy_violation = 1008;
constexpr int message_too_big = 1009;

bool speaks_of_access(std::string_view reason) {
    constexpr std::array<std::string_view, 9> words{"auth",    "api key",    "api_key",   "token", "credential",
                                                    "account", "permission", "forbidden", "access"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return reason.find(word) != std::string_view::npos; });
}

} // namespace

failure_class class_of_close(int code, std::string_view reason) {
    const auto lower = base::lower_case(reason);
    // Such a connection has served its time: the next one does not say anything about the deployment.
    if (lower.find("websocket_connection_limit_reached") != std::string::npos) return failure_class::incompatible;
    if (code == message_too_big) return failure_class::request;
    const bool of_the_application = code >= 3000 && code < 5000;
    if ((code == policy_violation || of_the_application) && speaks_of_access(lower))
        return failure_class::configuration;
    return failure_class::transient;
}

} // namespace turnout::routing
