#include <gtest/gtest.h>

#include "class_table.hpp"

// As class_table_400_test.cpp, for other statuses that blame the request.
namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using enum routing::failure_class;

class answers_of_4xx : public testing::TestWithParam<answered_row> {};

TEST_P(answers_of_4xx, have_a_class) {
    RecordProperty("rules", "FAIL-TABLE-001");
    const auto result = classify_answer(GetParam());
    EXPECT_EQ(routing::to_string(result.value), routing::to_string(GetParam().expected));
    EXPECT_EQ(result.quota_exhausted, GetParam().quota_exhausted);
    EXPECT_EQ(result.wait, GetParam().wait);
}

INSTANTIATE_TEST_SUITE_P(
    row_09_401, answers_of_4xx,
    testing::Values(
        answered_row{"OpenAI", 401, "",
                     R"({"error":{"message":"Incorrect API key provided: sk-1.","type":"invalid_request_error",)"
                     R"("param":null,"code":"invalid_api_key"}})",
                     configuration},
        answered_row{"Anthropic", 401, "",
                     R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key",)"
                     R"("details":null},"request_id":"req_1"})",
                     configuration},
        answered_row{"Azure", 401, "",
                     R"({"statusCode":401,"message":"Access denied due to invalid subscription key."})", configuration},
        answered_row{"Mistral", 401, "", R"({"message":"Unauthorized"})", configuration},
        answered_row{"Cohere", 401, "", R"({"id":"1","message":"invalid api token"})", configuration},
        answered_row{"vLLM", 401, "", R"({"error":"Unauthorized"})", configuration},
        answered_row{"Gemini", 401, "",
                     R"([{"error":{"code":401,"message":"x","status":"UNAUTHENTICATED","details":[]}}])",
                     configuration},
        answered_row{"nothing", 401, "", "", configuration}));

INSTANTIATE_TEST_SUITE_P(
    rows_10_to_12_402, answers_of_4xx,
    testing::Values(
        answered_row{"DeepSeek", 402, "",
                     R"({"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,)"
                     R"("code":"invalid_request_error"}})",
                     configuration},
        answered_row{"Anthropic", 402, "",
                     R"({"type":"error","error":{"type":"billing_error","message":"x",)"
                     R"("details":{"error_code":"linked_organization_inactive"}},"request_id":"req_1"})",
                     configuration},
        answered_row{"Gemini", 402, "",
                     R"([{"error":{"code":402,"message":"Prepaid credits are used up.","status":"RESOURCE_EXHAUSTED",)"
                     R"("details":[]}}])",
                     configuration},
        answered_row{"OpenRouter", 402, "", R"({"error":{"code":402,"message":"Insufficient credits."}})",
                     configuration},
        answered_row{"OpenRouter, in flight", 402, "Retry-After: 2\r\n",
                     R"({"error":{"code":"in_flight_budget_exhausted","message":"x"}})", throttle, false, 2s},
        answered_row{"OpenRouter, in flight without a time", 402, "",
                     R"({"error":{"code":"in_flight_budget_exhausted","message":"x"}})", throttle},
        answered_row{"a time to wait", 402, "Retry-After: 3\r\n", "", throttle, false, 3s},
        answered_row{"an empty bucket is no time to wait", 402,
                     "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 9s\r\n", "", configuration},
        answered_row{"OpenRouter, tokens", 402, "",
                     R"({"error":{"code":402,"message":"This request requires more credits, or fewer max_tokens. You )"
                     R"(requested up to 4096 tokens, but can only afford 1000."}})",
                     incompatible}));

INSTANTIATE_TEST_SUITE_P(
    rows_13_to_16_403, answers_of_4xx,
    testing::Values(
        answered_row{"OpenRouter, reasons", 403, "",
                     R"({"error":{"code":403,"message":"Your input is not for us","metadata":{"reasons":["violence"],)"
                     R"("flagged_input":"x","provider_name":"P"}}})",
                     content_policy},
        answered_row{"OpenRouter, a provider's code", 403, "",
                     R"({"error":{"code":403,"message":"Provider returned error",)"
                     R"("metadata":{"raw":"{\"error\":{\"message\":\"x\",\"type\":\"invalid_request_error\",)"
                     R"(\"param\":null,\"code\":\"content_policy_violation\"}}"}}})",
                     content_policy},
        answered_row{"xAI, policy", 403, "",
                     R"({"code":"The caller does not have permission","error":"Content violates usage guidelines."})",
                     content_policy},
        answered_row{"Together, context", 403, "",
                     R"({"error":{"message":"`inputs` tokens + `max_new_tokens` must be <= 8193",)"
                     R"("type":"invalid_request_error","param":null,"code":null}})",
                     context_window},
        answered_row{"Bedrock, agreement", 403,
                     "x-amzn-errortype: MPAgreementBeingCreated:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", configuration},
        answered_row{"Bedrock, access", 403,
                     "x-amzn-errortype: AccessDeniedException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", configuration},
        answered_row{"OpenAI, region", 403, "",
                     R"({"error":{"message":"x","type":"request_forbidden","param":null,)"
                     R"("code":"unsupported_country_region_territory"}})",
                     configuration},
        answered_row{"OpenAI, model", 403, "",
                     R"({"error":{"message":"Project `p` does not have access to model `m`",)"
                     R"("type":"invalid_request_error","param":null,"code":"model_not_found"}})",
                     configuration},
        answered_row{"Azure, blocked after abuse", 403, "",
                     R"({"error":{"message":"The resource has been temporarily blocked: its prompts went against the )"
                     R"(content management policy.","type":null,"param":null,"code":"403"}})",
                     configuration},
        answered_row{"Anthropic", 403, "",
                     R"({"type":"error","error":{"type":"permission_error","message":"x","details":null},)"
                     R"("request_id":"req_1"})",
                     configuration},
        answered_row{"xAI, no credits", 403, "",
                     R"({"code":"The caller does not have permission","error":"Your team doesn't have any credits or )"
                     R"(licenses yet."})",
                     configuration},
        answered_row{"Mistral, plan", 403, "",
                     R"({"object":"error","message":"This model is not in your tier.","type":"invalid_request_error",)"
                     R"("param":null,"code":null})",
                     configuration},
        answered_row{"a page of a firewall", 403, "cf-ray: 1\r\n", R"(<html><body>Attention required</body></html>)",
                     configuration}));

INSTANTIATE_TEST_SUITE_P(
    rows_17_to_19_404, answers_of_4xx,
    testing::Values(
        answered_row{"OpenAI", 404, "",
                     R"({"error":{"message":"The model `m` does not exist or you do not have access to it.",)"
                     R"("type":"invalid_request_error","param":null,"code":"model_not_found"}})",
                     configuration},
        answered_row{
            "OpenAI, address", 404, "",
            R"({"error":{"message":"Invalid URL (POST /v1/v1/chat/completions).","type":"invalid_request_error",)"
            R"("param":null,"code":null}})",
            configuration},
        answered_row{"Azure", 404, "",
                     R"({"error":{"message":"x","type":null,"param":null,"code":"DeploymentNotFound"}})",
                     configuration},
        answered_row{"Azure, address", 404, "", R"({"error":{"code":"404","message":"Resource not found"}})",
                     configuration},
        answered_row{"Anthropic", 404, "",
                     R"({"type":"error","error":{"type":"not_found_error","message":"model: claude-0","details":null},)"
                     R"("request_id":"req_1"})",
                     configuration},
        answered_row{"Gemini", 404, "",
                     R"([{"error":{"code":404,"message":"models/x is not found for API version v1beta",)"
                     R"("status":"NOT_FOUND","details":[]}}])",
                     configuration},
        answered_row{"vLLM", 404, "",
                     R"({"object":"error","message":"The model `x` does not exist.","type":"NotFoundError",)"
                     R"("param":"model","code":404})",
                     configuration},
        answered_row{"Ollama", 404, "",
                     R"({"error":{"message":"model \"x\" not found, try pulling it first","type":"not_found_error",)"
                     R"("param":null,"code":null}})",
                     configuration},
        answered_row{"Cohere", 404, "",
                     R"({"id":"1","message":"model 'x' not found, make sure the correct model ID was used"})",
                     configuration},
        answered_row{"OpenRouter", 404, "",
                     R"({"error":{"code":404,"message":"No endpoints found matching your data policy."}})",
                     configuration},
        answered_row{"Bedrock, form", 404, "x-amzn-errortype: FTUFormNotFilled:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", configuration},
        answered_row{"Bedrock, profile", 404,
                     "x-amzn-errortype: ResourceNotFoundException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"The inference profile x was not found."})", configuration},
        answered_row{"a model for videos", 404, "",
                     R"({"error":{"message":"The video model `v` was not found","type":"invalid_request_error",)"
                     R"("param":null,"code":null}})",
                     configuration},
        answered_row{"a page", 404, "", R"(<html><body>Attention required</body></html>)", configuration},
        answered_row{"nothing", 404, "", "", configuration},
        answered_row{"OpenAI, response", 404, "",
                     R"({"error":{"message":"Previous response with id 'resp_1' not found.",)"
                     R"("type":"invalid_request_error","param":"previous_response_id",)"
                     R"("code":"previous_response_not_found"}})",
                     request},
        answered_row{"OpenAI, file", 404, "",
                     R"({"error":{"message":"No such File object: file-1","type":"invalid_request_error","param":"id",)"
                     R"("code":null}})",
                     request},
        answered_row{
            "OpenAI, item", 404, "",
            R"({"error":{"message":"Item with id 'rs_1' not found. Items are not persisted when `store` is set )"
            R"(to false.","type":"invalid_request_error","param":"input","code":null}})",
            request},
        answered_row{"Anthropic, file", 404, "",
                     R"({"type":"error","error":{"type":"not_found_error","message":"File not found: file_1",)"
                     R"("details":null},"request_id":"req_1"})",
                     request}));

INSTANTIATE_TEST_SUITE_P(
    rows_20_to_28_other_4xx, answers_of_4xx,
    testing::Values(
        answered_row{"405", 405, "", "", configuration},
        answered_row{
            "410 of a model", 410, "",
            R"({"error":{"message":"The model `m` has been retired.","type":"invalid_request_error","param":null,)"
            R"("code":null}})",
            configuration},
        answered_row{"411", 411, "", "", request}, answered_row{"415", 415, "", "", request},
        answered_row{"416", 416, "", "", request}, answered_row{"431", 431, "", "", request},
        answered_row{"408 Azure", 408, "",
                     R"({"error":{"message":"The operation was timeout.","type":null,"param":null,"code":"Timeout"}})",
                     transient},
        answered_row{"408 Bedrock", 408,
                     "x-amzn-errortype: ModelTimeoutException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", transient},
        answered_row{"409", 409, "",
                     R"({"type":"error","error":{"type":"conflict_error","message":"x","details":null},)"
                     R"("request_id":"req_1"})",
                     request},
        answered_row{"413 Groq", 413, "",
                     R"({"error":{"message":"Request too large for model `m` on tokens per minute (TPM): Limit 6000, )"
                     R"(Requested 9000","type":"tokens","param":null,"code":"rate_limit_exceeded"}})",
                     incompatible},
        answered_row{
            "413 Anthropic", 413, "",
            R"({"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size",)"
            R"("details":null},"request_id":"req_1"})",
            request},
        answered_row{"413 of a page", 413, "", R"(<html><body>Attention required</body></html>)", request},
        answered_row{"422 Mistral", 422, "",
                     R"({"detail":[{"loc":["body","n"],"msg":"field required","type":"missing"}]})", request},
        answered_row{"422 Mistral, inside the message", 422, "",
                     R"({"object":"error","message":{"detail":[{"loc":["body","n"],"msg":"field required",)"
                     R"("type":"missing"}]},"type":"invalid_request_error","code":null})",
                     request},
        answered_row{"424 Bedrock", 424, "x-amzn-errortype: ModelErrorException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", transient},
        answered_row{
            "424 Groq", 424, "",
            R"({"error":{"message":"A dependency failed.","type":"failed_dependency","param":null,"code":null}})",
            transient},
        answered_row{"421", 421, "", "", transient}, answered_row{"425", 425, "", "", transient},
        answered_row{"426", 426, "", "", configuration}, answered_row{"418", 418, "", "", request}));

INSTANTIATE_TEST_SUITE_P(
    rows_33_to_35_numbers_of_few, answers_of_4xx,
    testing::Values(
        answered_row{"498 Cohere", 498, "", R"({"id":"1","message":"invalid token"})", configuration},
        answered_row{"498 Groq", 498, "",
                     R"({"error":{"message":"Flex tier capacity exceeded.","type":"flex_tier","param":null,)"
                     R"("code":"capacity_exceeded"}})",
                     throttle},
        answered_row{
            "498 in words", 498, "",
            R"({"error":{"message":"Flex tier capacity exceeded for this many tokens.","type":null,"param":null,)"
            R"("code":null}})",
            throttle},
        answered_row{"498 of nobody", 498, "", "", request},
        answered_row{"499", 499, "", R"([{"error":{"code":499,"message":"x","status":"CANCELLED","details":[]}}])",
                     transient}));

} // namespace
} // namespace turnout::gateway
