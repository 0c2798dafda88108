#include <gtest/gtest.h>

#include "routing/websocket_close.hpp"

namespace turnout::routing {
namespace {

struct close_row {
    int code;
    const char* reason;
    failure_class expected;
};

TEST(websocket_close, has_a_class_by_code_and_reason) {
    RecordProperty("rules", "FAIL-SOCKET-001");
    using enum failure_class;
    const close_row rows[] = {
        {1008, "Invalid API key", configuration},
        {1008, "slow consumer", transient},
        {1009, "message too big", request},
        {1001, "", transient},
        {1005, "", transient},
        {1006, "", transient},
        {1011, "internal error of the account service", transient},
        {1012, "service restart", transient},
        {1013, "try again later", transient},
        {2999, "unauthorized", transient},
        {3000, "account_deactivated", configuration},
        {4001, "Unauthorized", configuration},
        {4999, "token expired", configuration},
        {5000, "token expired", transient},
        {4000, "busy", transient},
        {1000, "websocket_connection_limit_reached", incompatible},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(to_string(class_of_close(row.code, row.reason)), to_string(row.expected))
            << row.code << ' ' << row.reason;
        EXPECT_EQ(
            classify({.origin = base::failure_origin::websocket_closed, .status = row.code, .message = row.reason})
                .value,
            row.expected);
    }
}

} // namespace
} // namespace turnout::routing
