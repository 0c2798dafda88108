#include <gtest/gtest.h>

#include "class_table.hpp"

// As class_table_400_test.cpp, for throttles, servers and redirects.
namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using enum routing::failure_class;

class answers_of_throttles_and_servers : public testing::TestWithParam<answered_row> {};

TEST_P(answers_of_throttles_and_servers, have_a_class) {
    RecordProperty("rules", "FAIL-TABLE-001");
    const auto result = classify_answer(GetParam());
    EXPECT_EQ(routing::to_string(result.value), routing::to_string(GetParam().expected));
    EXPECT_EQ(result.quota_exhausted, GetParam().quota_exhausted);
    EXPECT_EQ(result.wait, GetParam().wait);
}

INSTANTIATE_TEST_SUITE_P(
    rows_29_to_32_429, answers_of_throttles_and_servers,
    testing::Values(
        answered_row{"OpenAI", 429, "",
                     R"({"error":{"message":"Rate limit reached.","type":"requests","param":null,)"
                     R"("code":"rate_limit_exceeded"}})",
                     throttle},
        answered_row{"OpenAI, slow down", 429, "",
                     R"({"error":{"message":"x","type":"rate_limit_error","param":null,"code":"slow_down"}})",
                     throttle},
        answered_row{"Anthropic", 429, "retry-after: 12\r\n",
                     R"({"type":"error","error":{"type":"rate_limit_error","message":"x","details":null},)"
                     R"("request_id":"req_1"})",
                     throttle, false, 12s},
        answered_row{"Anthropic, ramp", 429, "retry-after: 1\r\n",
                     R"({"type":"error","error":{"type":"rate_limit_error","message":"x",)"
                     R"("details":{"error_code":"ramp_limit_exceeded"}},"request_id":"req_1"})",
                     throttle, false, 1s},
        answered_row{"Azure", 429, "",
                     R"({"error":{"message":"Requests have exceeded the rate limit. Please retry after 7 seconds.",)"
                     R"("type":null,"param":null,"code":"RateLimitReached"}})",
                     throttle, false, 7s},
        answered_row{"Azure, no capacity", 429, "retry-after-ms: 1500\r\n",
                     R"({"error":{"message":"x","type":null,"param":null,"code":"NoCapacity"}})", throttle, false,
                     1500ms},
        answered_row{"Mistral", 429, "",
                     R"({"object":"error","message":"Service tier capacity exceeded for this model",)"
                     R"("type":"service_tier_capacity_exceeded","param":null,"code":"3505"})",
                     throttle},
        answered_row{"Cohere", 429, "",
                     R"({"id":"1","message":"You are using a Trial key, which is limited to 10 API calls / minute."})",
                     throttle},
        answered_row{"Bedrock", 429, "x-amzn-errortype: ThrottlingException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"Too many requests"})", throttle},
        answered_row{"Gemini", 429, "",
                     R"([{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and )"
                     R"(billing details.","status":"RESOURCE_EXHAUSTED",)"
                     R"("details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure",)"
                     R"("violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},)"
                     R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}]}}])",
                     throttle, false, 34400ms},
        answered_row{"OpenRouter", 429, "",
                     R"({"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"m is temporarily )"
                     R"(rate-limited upstream."}}})",
                     throttle},
        answered_row{"nothing", 429, "", "", throttle},
        answered_row{"a page", 429, "", R"(<html><body>Attention required</body></html>)", throttle},
        answered_row{"OpenAI, quota", 429, "",
                     R"({"error":{"message":"You exceeded your current quota, please check your plan and billing )"
                     R"(details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})",
                     throttle, true},
        answered_row{"OpenAI, credit_balance_exhausted", 429, "",
                     R"({"error":{"message":"x","type":"insufficient_quota","param":null,)"
                     R"("code":"credit_balance_exhausted"}})",
                     throttle, true},
        answered_row{"OpenAI, organization_spend_limit_exceeded", 429, "",
                     R"({"error":{"message":"x","type":"insufficient_quota","param":null,)"
                     R"("code":"organization_spend_limit_exceeded"}})",
                     throttle, true},
        answered_row{"OpenAI, project_spend_limit_exceeded", 429, "",
                     R"({"error":{"message":"x","type":"insufficient_quota","param":null,)"
                     R"("code":"project_spend_limit_exceeded"}})",
                     throttle, true},
        answered_row{"OpenAI, organization_usage_limit_exceeded", 429, "",
                     R"({"error":{"message":"x","type":"insufficient_quota","param":null,)"
                     R"("code":"organization_usage_limit_exceeded"}})",
                     throttle, true},
        answered_row{"OpenAI, billing_hard_limit_reached", 429, "",
                     R"({"error":{"message":"x","type":"insufficient_quota","param":null,)"
                     R"("code":"billing_hard_limit_reached"}})",
                     throttle, true},
        answered_row{"OpenAI, quota by code alone", 429, "",
                     R"({"error":{"message":"x","type":null,"param":null,"code":"project_spend_limit_exceeded"}})",
                     throttle, true},
        answered_row{"Anthropic, spend", 429, "",
                     R"({"type":"error","error":{"type":"rate_limit_error","message":"x",)"
                     R"("details":{"error_code":"enforced_spend_limit_reached"}},"request_id":"req_1"})",
                     throttle, true},
        answered_row{"Anthropic, contract", 429, "",
                     R"({"type":"error","error":{"type":"rate_limit_error","message":"x",)"
                     R"("details":{"error_code":"contract_spend_limit_reached"}},"request_id":"req_1"})",
                     throttle, true},
        answered_row{"Cohere, month", 429, "",
                     R"({"id":"1","message":"You are using a Trial key, which is limited to 1000 API calls / month."})",
                     throttle, true},
        answered_row{"Gemini, day", 429, "",
                     R"([{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED",)"
                     R"("details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},)"
                     R"({"retryDelay":"34s"}]}}])",
                     throttle, true},
        answered_row{"a quota that says when it ends", 429, "Retry-After: 60\r\n",
                     R"({"error":{"message":"x","type":null,"param":null,"code":"insufficient_quota"}})", throttle,
                     false, 60s},
        answered_row{
            "a quota beside a bucket", 429, "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 9s\r\n",
            R"({"error":{"message":"x","type":null,"param":null,"code":"insufficient_quota"}})", throttle, true},
        answered_row{"OpenAI, too large", 429, "",
                     R"({"error":{"message":"Request too large for m on tokens per min (TPM): Limit 10000, Requested )"
                     R"(12000.","type":"tokens","param":null,"code":"rate_limit_exceeded"}})",
                     incompatible},
        answered_row{
            "OpenAI, used up", 429, "",
            R"({"error":{"message":"Rate limit reached for m on tokens per min (TPM): Limit 10000, Used 9000, )"
            R"(Requested 2000. Please try again in 6ms.","type":"tokens","param":null,)"
            R"("code":"rate_limit_exceeded"}})",
            throttle, false, 6ms},
        answered_row{"Bedrock, not ready", 429,
                     "x-amzn-errortype: ModelNotReadyException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", transient}));

INSTANTIATE_TEST_SUITE_P(
    rows_36_to_40_servers_and_redirects, answers_of_throttles_and_servers,
    testing::Values(
        answered_row{"500 llama.cpp, context", 500, "",
                     R"({"error":{"message":"Context size has been exceeded.","type":"server_error","param":null,)"
                     R"("code":500}})",
                     context_window},
        answered_row{
            "500 of anything", 500, "",
            R"({"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}})",
            transient},
        answered_row{"503 with a phrase in passing", 503, "",
                     R"({"error":{"message":"maximum context length","type":"server_error","param":null,"code":null}})",
                     transient},
        answered_row{"500 with an inner 429", 500, "", R"({"error":{"code":429,"message":"x"}})", throttle},
        answered_row{"503 of exhausted resources", 503, "",
                     R"([{"error":{"code":503,"message":"x","status":"RESOURCE_EXHAUSTED","details":[]}}])", throttle},
        answered_row{"502 OpenRouter, a provider's 429", 502, "",
                     R"({"error":{"code":502,"message":"Provider returned error",)"
                     R"("metadata":{"raw":"{\"error\":{\"code\":429,\"message\":\"x\"}}"}}})",
                     throttle},
        answered_row{"501", 501, "", "", transient},
        answered_row{"503 OpenAI", 503, "",
                     R"({"error":{"message":"The engine is currently overloaded","type":"service_unavailable_error",)"
                     R"("param":null,"code":"server_is_overloaded"}})",
                     transient},
        answered_row{"503 OpenAI, slow down", 503, "",
                     R"({"error":{"message":"x","type":"rate_limit_error","param":null,"code":"slow_down"}})",
                     throttle},
        answered_row{"503 Anthropic, key service", 503, "",
                     R"({"type":"error","error":{"type":"api_error","message":"x",)"
                     R"("details":{"error_code":"cmek_unavailable"}},"request_id":"req_1"})",
                     transient},
        answered_row{"503 llama.cpp", 503, "",
                     R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})", transient},
        answered_row{"503 with a time to wait", 503, "Retry-After: 20\r\n", "", transient, false, 20s},
        answered_row{"503 beside an empty bucket", 503,
                     "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 9s\r\n", "", transient},
        answered_row{"503 that speaks of waiting", 503, "",
                     R"({"error":{"message":"try again in 20s","type":null,"param":null,"code":null}})", transient},
        answered_row{"529 Anthropic", 529, "",
                     R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded","details":null},)"
                     R"("request_id":"req_1"})",
                     transient},
        answered_row{
            "500 Anthropic", 500, "",
            R"({"type":"error","error":{"type":"api_error","message":"x","details":null},"request_id":"req_1"})",
            transient},
        answered_row{"504 Anthropic", 504, "",
                     R"({"type":"error","error":{"type":"timeout_error","message":"x","details":null},)"
                     R"("request_id":"req_1"})",
                     transient},
        answered_row{"502 of a page", 502, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"504 of a page", 504, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"520 of a page", 520, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"521 of a page", 521, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"522 of a page", 522, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"523 of a page", 523, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"524 of a page", 524, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"525 of a page", 525, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"526 of a page", 526, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"527 of a page", 527, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"530 of a page", 530, "", R"(<html><body>Attention required</body></html>)", transient},
        answered_row{"301 elsewhere", 301, "Location: https://elsewhere.test/\r\n", "", configuration},
        answered_row{"302 elsewhere", 302, "Location: https://elsewhere.test/\r\n", "", configuration},
        answered_row{"303 elsewhere", 303, "Location: https://elsewhere.test/\r\n", "", configuration},
        answered_row{"307 elsewhere", 307, "Location: https://elsewhere.test/\r\n", "", configuration},
        answered_row{"308 elsewhere", 308, "Location: https://elsewhere.test/\r\n", "", configuration}));

} // namespace
} // namespace turnout::gateway
