#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/responses/responses.hpp"

namespace turnout::codec::responses {
namespace {

TEST(responses_contract, writes_an_error_event_that_is_flat_and_nested) {
    std::string out;
    instance().write_error_event(out, {502, "server_error", "upstream_stream_truncated", "", "Ended early."}, "r", 5);
    EXPECT_EQ(out, "event: error\n"
                   R"(data: {"type":"error","sequence_number":5,"code":"upstream_stream_truncated",)"
                   R"("message":"Ended early.","param":null,"error":{"message":"Ended early.","type":"server_error",)"
                   R"("param":null,"code":"upstream_stream_truncated"}})"
                   "\n\n");
}

TEST(responses_contract, always_has_a_code_in_an_error_event) {
    std::string out;
    instance().write_error_event(out, {400, "invalid_request_error", "", "input", "m"}, "r", 0);
    EXPECT_NE(out.find(R"("code":"invalid_request_error","message":"m","param":"input")"), out.npos) << out;
    out.clear();
    instance().write_error_event(out, {500, "", "", "", "m"}, "r", 0);
    EXPECT_NE(out.find(R"("code":"server_error","message")"), out.npos) << out;
}

TEST(responses_contract, answers_errors_as_openai_does) {
    std::string out;
    instance().write_error(out, {404, "invalid_request_error", "model_not_found", "model", "m"}, "r");
    EXPECT_EQ(out,
              R"({"error":{"message":"m","type":"invalid_request_error","param":"model","code":"model_not_found"}})");
    EXPECT_EQ(instance().name(), "responses");
}

} // namespace
} // namespace turnout::codec::responses
