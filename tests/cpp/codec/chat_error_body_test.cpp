#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/chat/error_body.hpp"

namespace turnout::codec::chat {
namespace {

struct error_row {
    std::string body;
    std::string code;
    std::string type;
    std::string param;
    std::string message;
    int status = 0;
};

class error_bodies : public testing::TestWithParam<error_row> {};

TEST_P(error_bodies, are_reduced_to_the_same_facts) {
    const error_row& row = GetParam();
    const auto facts = read_error(row.body);
    ASSERT_TRUE(facts.has_value()) << row.body;
    EXPECT_EQ(facts->code, row.code) << row.body;
    EXPECT_EQ(facts->type, row.type) << row.body;
    EXPECT_EQ(facts->param, row.param) << row.body;
    EXPECT_EQ(facts->message, row.message) << row.body;
    EXPECT_EQ(facts->status, row.status) << row.body;
}

INSTANTIATE_TEST_SUITE_P(
    chat_errors, error_bodies,
    testing::Values(
        error_row{R"({"error":{"message":"m \"q\"","type":"invalid_request_error","param":"n","code":"c"}})", "c",
                  "invalid_request_error", "n", "m \"q\""},
        error_row{R"({"error":{"message":"m","type":null,"param":null,"code":null}})", "", "", "", "m"},
        error_row{R"({"error":{"message":"m","type":"t","code":404}})", "404", "t", "", "m", 404},
        error_row{R"({"error":{"code":"401","message":"Access denied"}})", "401", "", "", "Access denied", 401},
        error_row{R"([{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}])", "400", "INVALID_ARGUMENT",
                  "", "m", 400},
        error_row{R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded","details":null},)"
                  R"("request_id":"req_1"})",
                  "", "overloaded_error", "", "Overloaded"},
        error_row{R"({"type":"error","error":{"type":"rate_limit_error","message":"m",)"
                  R"("details":{"error_code":"ramp_limit_exceeded"}}})",
                  "ramp_limit_exceeded", "rate_limit_error", "", "m"},
        error_row{R"({"object":"error","message":"m","type":"BadRequestError","param":null,"code":400})", "400",
                  "BadRequestError", "", "m", 400},
        error_row{R"({"object":"error","message":"m","type":"invalid","param":"p","code":"1300"})", "1300", "invalid",
                  "p", "m"},
        error_row{R"({"id":"1","message":"too many tokens"})", "", "", "", "too many tokens"},
        error_row{R"({"statusCode":401,"message":"no key"})", "", "", "", "no key", 401},
        error_row{R"({"detail":"Not found"})", "", "", "", "Not found"},
        error_row{R"({"detail":[{"loc":["body","n"],"msg":"field required","type":"missing"}]})", "", "missing", "",
                  "field required"},
        error_row{R"({"message":{"detail":[1]}})", "", "", "", R"({"detail":[1]})"},
        error_row{R"({"error":"Unauthorized"})", "", "", "", "Unauthorized"},
        error_row{R"({"code":"Client specified an invalid argument","error":"Incorrect API key"})",
                  "Client specified an invalid argument", "", "", "Incorrect API key"},
        error_row{R"({"error":{"message":"m","type":null,"code":"content_filter","status":400,)"
                  R"("innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
                  "content_filter", "", "", "m", 400},
        error_row{R"({"error":{"message":"m","innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
                  "ResponsibleAIPolicyViolation", "", "", "m"},
        error_row{R"({"error":{"code":403,"message":"flagged","metadata":{"reasons":["x"],"flagged_input":"y"}}})",
                  "content_policy_violation", "", "", "flagged", 403},
        error_row{R"({"error":{"code":502,"message":"m","metadata":{"provider_name":"P","raw":"{}"}}})", "502", "", "",
                  "m", 502},
        error_row{R"({"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT",)"
                  R"("details":[{"@type":"ErrorInfo","reason":"API_KEY_INVALID"}]}})",
                  "API_KEY_INVALID", "INVALID_ARGUMENT", "", "API key not valid", 400},
        error_row{
            R"({"error":{"message":"m","type":"invalid_request_error","code":"tool_use_failed","status_code":400}})",
            "tool_use_failed", "invalid_request_error", "", "m", 400},
        error_row{R"({"error":{"code":400,"type":"exceed_context_size_error","message":"m","n_ctx":8}})", "400",
                  "exceed_context_size_error", "", "m", 400},
        error_row{"{}", "", "", "", ""}));

TEST(chat_errors, say_nothing_when_they_are_not_json) {
    for (const char* body :
         {"", "<html>502</html>", "Too many requests", "{\"error\":", "[]", "[1]", "\"text\"", "5"}) {
        EXPECT_FALSE(read_error(body).has_value()) << body;
    }
}

TEST(chat_errors, carry_googles_wait) {
    const auto wait = [](const std::string& delay) {
        const auto facts = read_error(R"({"error":{"code":429,"message":"m","details":[{"@type":)"
                                      R"("type.googleapis.com/google.rpc.RetryInfo","retryDelay":")"
                                      + delay + R"("}]}})");
        return facts ? facts->retry_after : std::nullopt;
    };
    EXPECT_EQ(wait("34.4s"), base::milliseconds(34400));
    EXPECT_EQ(wait("0s"), base::milliseconds(0));
    EXPECT_EQ(wait("34.074824224s"), base::milliseconds(34075));
    for (const char* bad : {"", "s", "-1s", "nans", "infs", "1e300s", "5", "5m", "86401s", "5 s"}) {
        EXPECT_EQ(wait(bad), std::nullopt) << bad;
    }
}

struct status_row {
    std::string code;
    std::string type;
    int status;
};

class statuses : public testing::TestWithParam<status_row> {};

TEST_P(statuses, are_inferred_from_words) {
    error_facts facts;
    facts.code = GetParam().code;
    facts.type = GetParam().type;
    EXPECT_EQ(infer_status(facts), GetParam().status) << GetParam().code << ' ' << GetParam().type;
    facts.status = 418;
    EXPECT_EQ(infer_status(facts), 418);
}

INSTANTIATE_TEST_SUITE_P(
    chat_errors, statuses,
    testing::Values(status_row{"insufficient_quota", "", 429}, status_row{"rate_limit_exceeded", "tokens", 429},
                    status_row{"", "RESOURCE_EXHAUSTED", 429},
                    status_row{"invalid_api_key", "invalid_request_error", 401},
                    status_row{"", "authentication_error", 401}, status_row{"", "permission_error", 403},
                    status_row{"model_not_found", "invalid_request_error", 404},
                    status_row{"context_length_exceeded", "", 400}, status_row{"", "BadRequestError", 400},
                    status_row{"", "overloaded_error", 503}, status_row{"", "timeout_error", 504},
                    status_row{"server_error", "server_error", 500}, status_row{"", "", 500}));

TEST(chat_errors, are_written_with_all_four_members) {
    std::string out;
    write_error(out, {404, "invalid_request_error", "model_not_found", "model", "No \"x\""});
    EXPECT_EQ(out, R"({"error":{"message":"No \"x\"","type":"invalid_request_error","param":"model",)"
                   R"("code":"model_not_found"}})");
    out.clear();
    write_error(out, {500, "server_error", "", "", "Oops"});
    EXPECT_EQ(out, R"({"error":{"message":"Oops","type":"server_error","param":null,"code":null}})");
}

} // namespace
} // namespace turnout::codec::chat
