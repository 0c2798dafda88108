#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/openai_error.hpp"

namespace turnout::codec {
namespace {

TEST(openai_errors, are_written_with_all_four_members) {
    std::string out;
    write_openai_error(out, {404, "invalid_request_error", "model_not_found", "model", "No \"x\""});
    EXPECT_EQ(out, R"({"error":{"message":"No \"x\"","type":"invalid_request_error","param":"model",)"
                   R"("code":"model_not_found"}})");
    out.clear();
    write_openai_error(out, {500, "server_error", "", "", "Oops"});
    EXPECT_EQ(out, R"({"error":{"message":"Oops","type":"server_error","param":null,"code":null}})");
}

} // namespace
} // namespace turnout::codec
