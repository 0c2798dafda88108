#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/messages/messages.hpp"

namespace turnout::codec::messages {
namespace {

TEST(messages_contract, has_a_name_for_each_of_its_operations) {
    EXPECT_EQ(instance().name(), "messages");
    EXPECT_EQ(count_tokens_instance().name(), "count_tokens");
}

TEST(messages_contract, writes_errors_as_the_provider_does) {
    const public_error error{502, "server_error", "upstream_stream_truncated", "", "Ended early."};
    const std::string body = R"({"type":"error","error":{"type":"api_error","message":"Ended early."},)"
                             R"("request_id":"r1"})";
    std::string out;
    instance().write_error(out, error, "r1");
    EXPECT_EQ(out, body);
    out.clear();
    instance().write_error_event(out, error, "r1", 0);
    EXPECT_EQ(out, "event: error\ndata: " + body + "\n\n");
    out.clear();
    count_tokens_instance().write_error(out, error, "r1");
    EXPECT_EQ(out, body);
}

} // namespace
} // namespace turnout::codec::messages
