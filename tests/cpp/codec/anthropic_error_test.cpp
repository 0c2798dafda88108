#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "codec/contracts/anthropic_error.hpp"

namespace turnout::codec {
namespace {

TEST(anthropic_errors, have_the_type_of_their_status) {
    const std::vector<std::pair<int, std::string>> rows{
        {400, "invalid_request_error"},
        {401, "authentication_error"},
        {402, "billing_error"},
        {403, "permission_error"},
        {404, "not_found_error"},
        {405, "invalid_request_error"},
        {408, "timeout_error"},
        {409, "conflict_error"},
        {413, "request_too_large"},
        {415, "invalid_request_error"},
        {422, "invalid_request_error"},
        {429, "rate_limit_error"},
        {499, "invalid_request_error"},
        {500, "api_error"},
        {502, "api_error"},
        {503, "overloaded_error"},
        {504, "timeout_error"},
        {529, "overloaded_error"},
        {599, "api_error"},
    };
    for (const auto& [status, type] : rows) EXPECT_EQ(anthropic_error_type(status), type) << status;
}

TEST(anthropic_errors, are_written_with_the_request_s_id) {
    std::string out;
    write_anthropic_error(out, {404, "invalid_request_error", "model_not_found", "model", "No \"x\""}, "req-1");
    EXPECT_EQ(out, R"({"type":"error","error":{"type":"not_found_error","message":"No \"x\""},"request_id":"req-1"})");
}

} // namespace
} // namespace turnout::codec
