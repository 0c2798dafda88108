#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/chat/chat.hpp"
#include "codec/contracts/provider_error.hpp"

namespace turnout::codec {
namespace {

TEST(chat_contract, reads_an_error_body_without_touching_status_and_known_waits) {
    base::failure_report report;
    report.status = 503;
    report.retry_after = base::milliseconds(2000);
    read_error_body(R"({"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED",)"
                    R"("details":[{"retryDelay":"7s"}]}})",
                    report);
    EXPECT_EQ(report.status, 503);
    EXPECT_EQ(report.code, "429");
    EXPECT_EQ(report.type, "RESOURCE_EXHAUSTED");
    EXPECT_EQ(report.message, "m");
    EXPECT_EQ(report.retry_after, base::milliseconds(2000));
}

TEST(chat_contract, takes_a_wait_from_the_body_when_there_was_none) {
    base::failure_report report;
    read_error_body(R"({"error":{"code":429,"details":[{"retryDelay":"7s"}]}})", report);
    EXPECT_EQ(report.retry_after, base::milliseconds(7000));
}

TEST(chat_contract, keeps_the_type_that_the_head_gave_where_the_body_gives_none) {
    base::failure_report report;
    report.type = "ThrottlingException";
    read_error_body(R"({"message":"m"})", report);
    EXPECT_EQ(report.type, "ThrottlingException");
    read_error_body(R"({"error":{"message":"m","type":"t"}})", report);
    EXPECT_EQ(report.type, "t");
}

TEST(chat_contract, learns_nothing_from_html) {
    base::failure_report report;
    report.status = 502;
    read_error_body("<html>502</html>", report);
    EXPECT_EQ(report.status, 502);
    EXPECT_EQ(report.code + report.type + report.param + report.message, "");
}

TEST(chat_contract, writes_an_error_event_without_an_end_marker) {
    std::string out;
    chat::instance().write_error_event(out, {502, "server_error", "upstream_stream_truncated", "", "Ended early."}, "r",
                                       0);
    EXPECT_EQ(out, R"(data: {"error":{"message":"Ended early.","type":"server_error","param":null,)"
                   R"("code":"upstream_stream_truncated"}})"
                   "\n\n");
}

TEST(chat_contract, names_anomalies) {
    EXPECT_EQ(to_string(anomaly::missing_done), "missing_done");
    EXPECT_EQ(to_string(anomaly::malformed_keepalive), "malformed_keepalive");
    EXPECT_EQ(chat::instance().name(), "chat");
}

} // namespace
} // namespace turnout::codec
