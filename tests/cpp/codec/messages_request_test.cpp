#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include "codec/contracts/messages/messages.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::messages {
namespace {

contract_request read(const contract& protocol, std::string_view body) {
    auto result = protocol.parse_request(body);
    auto* const request = std::get_if<contract_request>(&result);
    EXPECT_NE(request, nullptr) << body;
    return request != nullptr ? std::move(*request) : contract_request{};
}

request_problem refuse(const contract& protocol, std::string_view body) {
    auto result = protocol.parse_request(body);
    const auto* const problem = std::get_if<request_problem>(&result);
    EXPECT_NE(problem, nullptr) << body;
    return problem != nullptr ? *problem : request_problem{};
}

std::string with_max_tokens(const std::string& value) {
    return R"({"model":"claude","messages":[],"max_tokens":)" + value + "}";
}

TEST(messages_request, reads_what_routing_needs) {
    const contract_request r =
        read(instance(), R"({"model":"cl\u0061ude","max_tokens":1024,"messages":[{"role":"user"}],"stream":true})");
    EXPECT_EQ(r.model, "claude");
    EXPECT_TRUE(r.stream);
    EXPECT_EQ(r.n, 1U);
    EXPECT_TRUE(r.edits.empty());
    EXPECT_FALSE(read(instance(), with_max_tokens("0")).stream);
    EXPECT_FALSE(read(instance(), R"({"model":"m","max_tokens":1,"messages":[],"stream":null})").stream);
}

TEST(messages_request, names_the_model_of_the_upstream_and_changes_nothing_else) {
    const std::string body = R"({ "max_tokens":1, "model" : "claude","messages":[ ],"top_k":5 })";
    const contract_request r = read(instance(), body);
    std::string out;
    apply(body, instance().upstream_edits(r, R"("up")", true), out);
    EXPECT_EQ(out, R"({ "max_tokens":1, "model" : "up","messages":[ ],"top_k":5 })");
    EXPECT_TRUE(instance().upstream_edits(r, R"("claude")", true).empty());
}

TEST(messages_request, must_bound_the_tokens_of_the_answer) {
    request_problem p = refuse(instance(), R"({"model":"m","messages":[]})");
    EXPECT_EQ(p.status, 400);
    EXPECT_EQ(p.code, "missing_required_parameter");
    EXPECT_EQ(p.param, "max_tokens");

    for (const std::string value : {"-1", "1.5", "1e3", "9223372036854775808"}) {
        p = refuse(instance(), with_max_tokens(value));
        EXPECT_EQ(p.code, "invalid_value") << value;
        EXPECT_EQ(p.param, "max_tokens");
        EXPECT_EQ(p.message, "'max_tokens' must be a non-negative integer.");
    }
    for (const std::string value : {"null", R"("5")", "true", "[1]", "{}"}) {
        p = refuse(instance(), with_max_tokens(value));
        EXPECT_EQ(p.code, "invalid_type") << value;
        EXPECT_EQ(p.param, "max_tokens");
    }
    read(instance(), with_max_tokens("9223372036854775807"));
}

TEST(messages_request, needs_model_and_messages) {
    EXPECT_EQ(refuse(instance(), R"({"max_tokens":1,"messages":[]})").param, "model");
    EXPECT_EQ(refuse(instance(), R"({"max_tokens":1,"model":"m"})").param, "messages");
    EXPECT_EQ(refuse(instance(), R"({"max_tokens":1,"model":"m","messages":"hi"})").code, "invalid_type");
    EXPECT_EQ(refuse(instance(), R"({"max_tokens":1,"model":"m","messages":[],"stream":1})").param, "stream");
    EXPECT_EQ(refuse(instance(), "").code, "invalid_json");
    EXPECT_EQ(refuse(instance(), R"({"max_tokens":1x})").code, "invalid_json");
}

TEST(messages_request, has_no_member_twice_that_is_read) {
    for (const std::string member : {R"("model":"m")", R"("messages":[])", R"("stream":true)", R"("max_tokens":1)"}) {
        const request_problem p =
            refuse(instance(), R"({"model":"m","messages":[],"stream":true,"max_tokens":1,)" + member + "}");
        EXPECT_EQ(p.code, "duplicate_member");
        EXPECT_EQ(p.param, member.substr(1, member.find('"', 1) - 1));
    }
    read(instance(), R"({"model":"m","messages":[],"max_tokens":1,"system":"a","system":"b"})");
}

TEST(messages_request, to_count_tokens_bounds_none_and_is_no_stream) {
    const contract& counting = count_tokens_instance();
    const std::string body = R"({"model":"claude","messages":[],"stream":true})";
    const contract_request r = read(counting, body);
    EXPECT_EQ(r.model, "claude");
    EXPECT_FALSE(r.stream);
    std::string out;
    apply(body, counting.upstream_edits(r, R"("up")", true), out);
    EXPECT_EQ(out, R"({"model":"up","messages":[],"stream":true})");
    read(counting, R"({"model":"claude","messages":[],"max_tokens":"whatever"})");
    EXPECT_EQ(refuse(counting, R"({"messages":[]})").param, "model");
    EXPECT_EQ(refuse(counting, R"({"model":"m"})").param, "messages");
    EXPECT_EQ(refuse(counting, R"({"model":"m","messages":[],"messages":[]})").code, "duplicate_member");
}

} // namespace
} // namespace turnout::codec::messages
