#include <string>

#include <gtest/gtest.h>

#include "codec/contracts/provider_error.hpp"

namespace turnout::codec {
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
        error_row{R"({"message":{"detail":[1]}})", "", "", "", "[1]"},
        error_row{R"({"object":"error","message":{"detail":[{"type":"missing","loc":["n"],"msg":"field required"}]},)"
                  R"("type":"invalid_request_error","code":null})",
                  "", "missing", "", "field required"},
        error_row{R"({"message":{"x":1}})", "", "", "", R"({"x":1})"},
        error_row{R"({"detail":{"message":"m","code":"c"}})", "c", "", "", "m"},
        error_row{R"({"errors":[{"code":7009,"message":"m"}],"success":false})", "7009", "", "", "m"},
        error_row{R"({"errors":[{"code":7009,"message":"m"},{"code":1,"message":"n"}],"success":false})", "7009", "",
                  "", "m"},
        error_row{R"({"error":"m","error_type":"validation"})", "", "validation", "", "m"},
        error_row{R"({"__type":"com.amazon.coral.service#ThrottlingException","Message":"m"})", "",
                  "com.amazon.coral.service#ThrottlingException", "", "m"},
        error_row{R"({"error":{"message":"m","code":"c","param":{"a":1}}})", "c", "", R"({"a":1})", "m"},
        error_row{R"({"id":"1","choices":[],"x_groq":{"id":"req_1","error":"cut off"}})", "", "", "", "cut off"},
        error_row{R"({"error":{"code":400,"message":"Provider returned error","metadata":{"raw":)"
                  R"("{\"error\":{\"message\":\"m\",\"type\":\"t\",\"param\":\"p\",\"code\":\"c\"}}"}}})",
                  "c", "t", "p", "m", 400},
        error_row{R"({"error":{"metadata":{"raw":"[{\"error\":{\"code\":429,\"message\":\"m\"}}]"},)"
                  R"("code":502,"message":"Provider returned error"}})",
                  "429", "", "", "m", 502},
        error_row{R"({"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"busy, come back"}}})",
                  "429", "", "", "busy, come back", 429},
        error_row{R"({"error":{"code":502,"message":"m","metadata":{"raw":"<html>busy</html>"}}})", "502", "", "", "m",
                  502},
        error_row{R"({"error":{"code":502,"message":"m","metadata":{"raw":{"error":"inner"}}}})", "502", "", "",
                  "inner", 502},
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

TEST(provider_errors, say_nothing_when_they_are_not_json) {
    for (const char* body :
         {"", "<html>502</html>", "Too many requests", "{\"error\":", "[]", "[1]", "\"text\"", "5"}) {
        EXPECT_FALSE(read_error(body).has_value()) << body;
    }
}

TEST(provider_errors, carry_googles_wait) {
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

TEST(provider_errors, carry_the_headers_that_a_websocket_has_no_place_for) {
    RecordProperty("rules", "WS-UP-007");
    const auto wait = [](const std::string& headers) {
        return read_error(R"({"type":"error","status":429,"error":{"code":"x","headers":)" + headers + "}}")
            ->retry_after;
    };
    EXPECT_EQ(wait(R"({"Retry-After":"7"})"), base::milliseconds(7000));
    EXPECT_EQ(wait(R"({"a":"b","retry-after":1.5})"), base::milliseconds(1500));
    EXPECT_EQ(wait(R"({"retry-after":"7","Retry-After-Ms":"250"})"), base::milliseconds(250));
    EXPECT_EQ(wait(R"({"retry-after-ms":"90000","retry-after":"7"})"), base::milliseconds(90000));
    EXPECT_EQ(wait(R"({"retry-after":"86400"})"), base::milliseconds(86'400'000));
    EXPECT_EQ(wait(R"({"retry-after-ms":"86400000"})"), base::milliseconds(86'400'000));
    for (const char* bad :
         {"{}", "[]", "null", R"("7")", R"({"retry-after":"86401"})", R"({"retry-after":-1})",
          R"({"retry-after-ms":"86400001"})", R"({"retry-after-ms":-1})", R"({"retry-after":"soon"})"})
        EXPECT_EQ(wait(bad), std::nullopt) << bad;
}

TEST(provider_errors, know_a_quota_per_day_that_no_short_wait_refills) {
    const auto facts = [](const std::string& quota) {
        return read_error(R"({"error":{"code":429,"details":[{"violations":[{"quotaId":")" + quota
                          + R"("}]},{"retryDelay":"34s"}]}})");
    };
    const auto daily = facts("GenerateRequestsPerDayPerProjectPerModel-FreeTier");
    EXPECT_TRUE(daily->daily_quota_spent);
    EXPECT_EQ(daily->retry_after, std::nullopt);
    const auto minute = facts("GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
    EXPECT_FALSE(minute->daily_quota_spent);
    EXPECT_EQ(minute->retry_after, base::milliseconds(34000));
}

TEST(provider_errors, may_be_nothing_but_a_string_where_the_status_says_that_they_are_errors) {
    EXPECT_EQ(read_error_answer(R"( "Incorrect \"API\" key" )")->message, "Incorrect \"API\" key");
    EXPECT_EQ(read_error_answer(R"({"error":"m"})")->message, "m");
    EXPECT_FALSE(read_error_answer(R"("open)").has_value());
    EXPECT_FALSE(read_error_answer("text").has_value());
}

TEST(provider_errors, inside_an_answer_keep_the_status_that_they_give_themselves) {
    using base::failure_origin;
    EXPECT_EQ(in_band_failure(failure_origin::error_event, R"({"error":{"code":429,"message":"m"}})").status, 429);
    EXPECT_EQ(in_band_failure(failure_origin::error_event, R"({"error":{"type":"rate_limit_error"}})").status, 0);
    EXPECT_EQ(in_band_failure(failure_origin::error_event, "no JSON").status, 0);
}

} // namespace
} // namespace turnout::codec
