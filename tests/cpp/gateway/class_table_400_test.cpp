#include <gtest/gtest.h>

#include "class_table.hpp"

// What providers say with a status of 400, from the bytes of their answers to the class.
namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using enum routing::failure_class;

class answers_of_400 : public testing::TestWithParam<answered_row> {};

TEST_P(answers_of_400, have_a_class) {
    RecordProperty("rules", "FAIL-TABLE-001");
    const auto result = classify_answer(GetParam());
    EXPECT_EQ(routing::to_string(result.value), routing::to_string(GetParam().expected));
    EXPECT_EQ(result.quota_exhausted, GetParam().quota_exhausted);
    EXPECT_EQ(result.wait, GetParam().wait);
}

INSTANTIATE_TEST_SUITE_P(
    row_01_context_window, answers_of_400,
    testing::Values(
        answered_row{"OpenAI by code", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":"messages",)"
                     R"("code":"context_length_exceeded"}})",
                     context_window},
        answered_row{
            "OpenAI in words", 400, "",
            R"({"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested )"
            R"(9000.","type":"invalid_request_error","param":null,"code":null}})",
            context_window},
        answered_row{"OpenAI, configured limit", 400, "",
                     R"({"error":{"message":"Input tokens exceed the configured limit of 272000 tokens.",)"
                     R"("type":"invalid_request_error","param":null,"code":null}})",
                     context_window},
        answered_row{"Azure by code", 400, "",
                     R"({"error":{"message":"x","type":null,"param":"messages","code":"context_length_exceeded"}})",
                     context_window},
        answered_row{"Anthropic, prompt", 400, "",
                     R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 )"
                     R"(tokens > 200000 maximum","details":null},"request_id":"req_1"})",
                     context_window},
        answered_row{
            "Anthropic, prompt and answer", 400, "",
            R"({"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` )"
            R"(exceed context limit: 190000 + 20000 > 200000","details":null},"request_id":"req_1"})",
            context_window},
        answered_row{
            "Gemini", 400, "",
            R"([{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens )"
            R"(allowed (8).","status":"INVALID_ARGUMENT","details":[]}}])",
            context_window},
        answered_row{
            "Cohere", 400, "",
            R"({"id":"1","message":"too many tokens: total number of tokens in the prompt cannot exceed 4081"})",
            context_window},
        answered_row{
            "Mistral", 400, "",
            R"({"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model )"
            R"(with 32768 maximum context length","type":"invalid_request_error","param":null,"code":null})",
            context_window},
        answered_row{"Groq", 400, "",
                     R"({"error":{"message":"Please reduce the length of the messages or completion.",)"
                     R"("type":"invalid_request_error","param":null,"code":"context_length_exceeded"}})",
                     context_window},
        answered_row{"vLLM", 400, "",
                     R"({"object":"error","message":"This model's maximum context length is 4096 tokens. However, you )"
                     R"(requested 5000.","type":"BadRequestError","param":null,"code":400})",
                     context_window},
        answered_row{"llama.cpp", 400, "",
                     R"({"error":{"code":400,"message":"request exceeds the available context size",)"
                     R"("type":"exceed_context_size_error","n_ctx":8}})",
                     context_window},
        answered_row{"DeepSeek", 400, "",
                     R"({"error":{"message":"This model's maximum context length is 65536 tokens.",)"
                     R"("type":"invalid_request_error","param":null,"code":"invalid_request_error"}})",
                     context_window},
        answered_row{"OpenRouter", 400, "",
                     R"({"error":{"code":400,"message":"This endpoint's maximum context length is 8192 tokens."}})",
                     context_window},
        answered_row{"OpenRouter, the provider's words", 400, "",
                     R"({"error":{"code":400,"message":"Provider returned error","metadata":{"provider_name":"P",)"
                     R"("raw":"{\"error\":{\"message\":\"prompt is too long: 9 tokens > 8 maximum\",)"
                     R"(\"type\":\"invalid_request_error\",\"param\":null,\"code\":null}}"}}})",
                     context_window},
        answered_row{"xAI", 400, "",
                     R"({"code":"Client specified an invalid argument","error":"This model's maximum prompt length is )"
                     R"(131072 but the request contains 140000 tokens."})",
                     context_window},
        answered_row{
            "Cerebras", 400, "",
            R"({"error":{"message":"Please reduce the length of the messages. Current length is 9000 while limit )"
            R"(is 8192","type":"invalid_request_error","param":null,"code":"context_length_exceeded"}})",
            context_window},
        answered_row{"Bedrock", 400, "x-amzn-errortype: ValidationException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"Input is too long for requested model."})", context_window},
        answered_row{"Bedrock, compatible", 400, "",
                     R"({"error":{"code":"validation_error","message":"prompt tokens (400007) exceed model maximum )"
                     R"((278528)."}})",
                     context_window},
        answered_row{"Hugging Face", 422, "",
                     R"({"error":"`inputs` tokens + `max_new_tokens` must be <= 4096","error_type":"validation"})",
                     context_window}));

INSTANTIATE_TEST_SUITE_P(
    row_02_content_policy, answers_of_400,
    testing::Values(
        answered_row{"OpenAI, images", 400, "",
                     R"({"error":{"message":"Your request was rejected as a result of our safety system.",)"
                     R"("type":"image_generation_user_error","param":null,"code":"moderation_blocked"}})",
                     content_policy},
        answered_row{
            "OpenAI, prompt", 400, "",
            R"({"error":{"message":"Invalid prompt: your prompt was flagged as potentially violating our usage )"
            R"(policy.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}})",
            content_policy},
        answered_row{
            "OpenAI, prompt without a policy", 400, "",
            R"({"error":{"message":"Invalid prompt: it is empty.","type":"invalid_request_error","param":null,)"
            R"("code":"invalid_prompt"}})",
            request},
        answered_row{"Azure", 400, "",
                     R"({"error":{"message":"The response was filtered due to the prompt triggering our content )"
                     R"(management policy.","type":null,"param":"prompt","code":"content_filter","status":400,)"
                     R"("innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
                     content_policy},
        answered_row{"Azure, only inside", 400, "",
                     R"({"error":{"message":"It was filtered.","type":null,"param":"prompt","code":null,)"
                     R"("innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
                     content_policy},
        answered_row{"Anthropic", 400, "",
                     R"({"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content )"
                     R"(filtering policy","details":null},"request_id":"req_1"})",
                     content_policy}));

INSTANTIATE_TEST_SUITE_P(
    rows_03_04_accounts_in_a_400, answers_of_400,
    testing::Values(
        answered_row{
            "Gemini, a bad key", 400, "",
            R"([{"error":{"code":400,"message":"Request is not valid.","status":"INVALID_ARGUMENT",)"
            R"("details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}])",
            configuration},
        answered_row{"Gemini, a bad key in words", 400, "",
                     R"([{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",)"
                     R"("status":"INVALID_ARGUMENT","details":[]}}])",
                     configuration},
        answered_row{"xAI, a bad key", 400, "",
                     R"({"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***"})",
                     configuration},
        answered_row{"xAI, a bad key as a mere string", 400, "", R"("Incorrect API key provided: xa***")",
                     configuration},
        answered_row{
            "Anthropic, no credit", 400, "",
            R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low )"
            R"(to access the Anthropic API.","details":null},"request_id":"req_1"})",
            configuration},
        answered_row{"Anthropic, usage", 400, "",
                     R"({"type":"error","error":{"type":"invalid_request_error","message":"You have reached your )"
                     R"(specified API usage limits. You will regain access on 2026-01-01.","details":null},)"
                     R"("request_id":"req_1"})",
                     configuration},
        answered_row{"Anthropic, on hold", 400, "",
                     R"({"type":"error","error":{"type":"invalid_request_error","message":"x",)"
                     R"("details":{"error_code":"organization_on_hold"}},"request_id":"req_1"})",
                     configuration},
        answered_row{"Anthropic, key service", 400, "",
                     R"({"type":"error","error":{"type":"invalid_request_error","message":"x",)"
                     R"("details":{"error_code":"cmek_key_disabled"}},"request_id":"req_1"})",
                     configuration},
        answered_row{"Gemini, location", 400, "",
                     R"([{"error":{"code":400,"message":"User location is not supported for the API use.",)"
                     R"("status":"FAILED_PRECONDITION","details":[]}}])",
                     configuration},
        answered_row{"Gemini, billing", 400, "",
                     R"([{"error":{"code":400,"message":"Please enable billing on your project.",)"
                     R"("status":"FAILED_PRECONDITION","details":[]}}])",
                     configuration},
        answered_row{"Gemini, another precondition", 400, "",
                     R"([{"error":{"code":400,"message":"The file is not ready.","status":"FAILED_PRECONDITION",)"
                     R"("details":[]}}])",
                     request},
        answered_row{"Bedrock, expired", 400, "x-amzn-errortype: RequestExpired:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", configuration},
        answered_row{"Bedrock, not authorized", 400,
                     "x-amzn-errortype: NotAuthorized:http://internal.amazon.com/coral/\r\n", R"({"message":"x"})",
                     configuration},
        answered_row{"Bedrock, signature", 400,
                     "x-amzn-errortype: IncompleteSignatureException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"x"})", configuration},
        answered_row{"Bedrock, account", 400,
                     "x-amzn-errortype: ValidationException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"Operation not allowed"})", configuration}));

INSTANTIATE_TEST_SUITE_P(
    rows_05_to_08_other_400s, answers_of_400,
    testing::Values(
        answered_row{"Bedrock, service quota", 400,
                     "x-amzn-errortype: ServiceQuotaExceededException:http://internal.amazon.com/coral/\r\n",
                     R"({"message":"Too many."})", throttle},
        answered_row{"Groq, tools", 400, "",
                     R"({"error":{"message":"Failed to call a function.","type":"invalid_request_error","param":null,)"
                     R"("code":"tool_use_failed","failed_generation":"x"}})",
                     request},
        answered_row{"Groq, JSON", 400, "",
                     R"({"error":{"message":"Failed to generate JSON.","type":"invalid_request_error","param":null,)"
                     R"("code":"json_validate_failed"}})",
                     request},
        answered_row{"OpenAI, encrypted content", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":null,)"
                     R"("code":"invalid_encrypted_content"}})",
                     request},
        answered_row{"OpenAI, previous response", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":"previous_response_id",)"
                     R"("code":"previous_response_not_found"}})",
                     request},
        answered_row{"OpenAI, parameter", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":"top_k",)"
                     R"("code":"unsupported_parameter"}})",
                     request},
        answered_row{"OpenAI, value", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":"temperature",)"
                     R"("code":"unsupported_value"}})",
                     request},
        answered_row{"OpenAI, service tier", 400, "",
                     R"({"error":{"message":"The service tier is not allowed for this project.",)"
                     R"("type":"invalid_request_error","param":"service_tier","code":null}})",
                     request},
        answered_row{"OpenAI, string length", 400, "",
                     R"({"error":{"message":"x","type":"invalid_request_error","param":"user",)"
                     R"("code":"string_above_max_length"}})",
                     request},
        answered_row{"Cohere, max_tokens", 400, "",
                     R"({"id":"1","message":"too many tokens: max tokens must be less than or equal to 4096"})",
                     request},
        answered_row{"a prompt that speaks of limits", 400, "",
                     R"({"error":{"message":"could not parse 'error 429: rate limit reached, try again in 5s'",)"
                     R"("type":"invalid_request_error","param":null,"code":null}})",
                     request},
        answered_row{"a page", 400, "", R"(<html><body>Attention required</body></html>)", request},
        answered_row{"nothing", 400, "", "", request}));

} // namespace
} // namespace turnout::gateway
