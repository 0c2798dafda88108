#include <chrono>
#include <string>

#include <gmock/gmock.h>

#include "routing/failure_class.hpp"

namespace turnout::routing {
namespace {

using base::failure_origin;
using base::failure_report;

struct row {
    std::string sentence;
    failure_report report;
    failure_class expected;
    bool quota_exhausted = false;
};

std::ostream& operator<<(std::ostream& out, const row& r) { return out << r.sentence; }

class failure_class_table : public testing::TestWithParam<row> {};

TEST_P(failure_class_table, holds) {
    const auto result = classify(GetParam().report);
    EXPECT_EQ(to_string(result.value), to_string(GetParam().expected)) << GetParam().sentence;
    EXPECT_EQ(result.quota_exhausted, GetParam().quota_exhausted) << GetParam().sentence;
}

struct words {
    std::string code = {};
    std::string type = {};
    std::string param = {};
    std::string message = {};
    int retry_after_seconds = -1;
};

failure_report answer(int status, words w = {}) {
    failure_report report{.origin = failure_origin::upstream_answer,
                          .status = status,
                          .code = w.code,
                          .type = w.type,
                          .param = w.param,
                          .message = w.message,
                          .retry_after = {}};
    if (w.retry_after_seconds >= 0) report.retry_after = std::chrono::seconds{w.retry_after_seconds};
    return report;
}

failure_report in_band(words w = {}, int status = 0) {
    auto report = answer(status, w);
    report.origin = failure_origin::error_event;
    return report;
}

failure_report in_answer(words w = {}, int status = 0) {
    auto report = answer(status, w);
    report.origin = failure_origin::error_in_answer;
    return report;
}

failure_report without_answer(failure_origin origin) { return {.origin = origin}; }

using enum failure_class;

INSTANTIATE_TEST_SUITE_P(
    who_stopped_it, failure_class_table,
    testing::Values(
        row{"a client that left is nobody's failure", without_answer(failure_origin::client_gone), gateway},
        row{"a client that takes nothing is nobody's failure", without_answer(failure_origin::client_stalled), gateway},
        row{"our own fault is nobody's failure", without_answer(failure_origin::gateway), gateway},
        row{"no answer within responseMs may pass", without_answer(failure_origin::response_timeout), transient},
        row{"silence for idleMs may pass", without_answer(failure_origin::idle_timeout), transient},
        row{"an attempt cut by totalMs may pass", without_answer(failure_origin::total_timeout), transient}));

INSTANTIATE_TEST_SUITE_P(
    no_answer, failure_class_table,
    testing::Values(row{"a refused connection may pass", without_answer(failure_origin::connect_failed), transient},
                    row{"a failed handshake may pass", without_answer(failure_origin::tls_failed), transient},
                    row{"a lost connection may pass", without_answer(failure_origin::connection_lost), transient},
                    row{"an answer that is not HTTP may pass", without_answer(failure_origin::malformed_http),
                        transient},
                    row{"a body that is not JSON may pass", without_answer(failure_origin::malformed_body), transient},
                    row{"a body cut short may pass", without_answer(failure_origin::body_truncated), transient},
                    row{"a stream cut short may pass", without_answer(failure_origin::stream_truncated), transient}));

INSTANTIATE_TEST_SUITE_P(
    status_400, failure_class_table,
    testing::Values(
        row{"a plain 400 ends the request", answer(400), request},
        row{"an unsupported parameter ends the request",
            answer(400, {.code = "unsupported_parameter", .type = "invalid_request_error"}), request},
        row{"a failed tool call of the model ends the request", answer(400, {.code = "tool_use_failed"}), request},
        row{"a missing previous response ends the request", answer(400, {.code = "previous_response_not_found"}),
            request},
        row{"encrypted content of another account ends the request", answer(400, {.code = "invalid_encrypted_content"}),
            request},
        row{"a string above its maximum length is no context overflow",
            answer(400, {.code = "string_above_max_length"}), request},
        row{"numbers and words quoted from a prompt mean nothing",
            answer(400, {.message = "could not parse 'error 429: rate limit, 503'"}), request},
        row{"a bad key sent as 400 condemns the deployment",
            answer(400, {.type = "INVALID_ARGUMENT", .message = "API key not valid. Please pass a valid API key."}),
            configuration},
        row{"a bad key sent as 400 with a reason condemns the deployment", answer(400, {.code = "API_KEY_INVALID"}),
            configuration},
        row{"an incorrect key in a bare string condemns the deployment",
            answer(400, {.message = "Incorrect API key provided: xa***"}), configuration},
        row{"an empty credit balance condemns the deployment",
            answer(400,
                   {.type = "invalid_request_error", .message = "Your credit balance is too low to access the API"}),
            configuration},
        row{"spent API usage condemns the deployment",
            answer(400, {.message = "You have reached your specified API usage limits."}), configuration},
        row{"an organization on hold condemns the deployment", answer(400, {.code = "organization_on_hold"}),
            configuration},
        row{"a customer's unusable key store condemns the deployment", answer(400, {.code = "cmek_key_disabled"}),
            configuration},
        row{"a location that is not served condemns the deployment",
            answer(400, {.type = "FAILED_PRECONDITION", .message = "User location is not supported for the API use."}),
            configuration},
        row{"another failed precondition ends the request",
            answer(400, {.type = "FAILED_PRECONDITION", .message = "File is not ready."}), request},
        row{"an expired signature condemns the deployment", answer(400, {.type = "RequestExpired"}), configuration},
        row{"an exceeded service quota throttles", answer(400, {.type = "ServiceQuotaExceededException"}), throttle}));

INSTANTIATE_TEST_SUITE_P(
    context_window, failure_class_table,
    testing::Values(
        row{"OpenAI's code", answer(400, {.code = "context_length_exceeded"}), context_window},
        row{"llama.cpp's type", answer(400, {.type = "exceed_context_size_error"}), context_window},
        row{"OpenAI's sentence",
            answer(400,
                   {.message = "This model's maximum context length is 8192 tokens. However, you requested 9000."}),
            context_window},
        row{"the Responses sentence",
            answer(400, {.param = "input", .message = "Your input exceeds the context window of this model."}),
            context_window},
        row{"Anthropic's sentence", answer(400, {.message = "prompt is too long: 210000 tokens > 200000 maximum"}),
            context_window},
        row{"Anthropic's other sentence",
            answer(400, {.message = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"}),
            context_window},
        row{"Gemini's sentence",
            answer(400, {.message = "The input token count (9) exceeds the maximum number of tokens allowed (8)"}),
            context_window},
        row{"Cohere's sentence",
            answer(400, {.message = "too many tokens: total number of tokens in the prompt cannot exceed 4081"}),
            context_window},
        row{"Cohere's complaint about max_tokens is only a bad parameter",
            answer(400, {.message = "too many tokens: max tokens must be less than or equal to 4096"}), request},
        row{"xAI's sentence",
            answer(400,
                   {.message = "This model's maximum prompt length is 131072 but the request contains 140000 tokens"}),
            context_window},
        row{"Cerebras' sentence, in two parts",
            answer(400, {.message = "Please reduce the length. Current length is 9000 while limit is 8192"}),
            context_window},
        row{"a proxy's sentence, in two parts",
            answer(400, {.message = "prompt token count of 70000 exceeds the limit of 64000"}), context_window},
        row{"Bedrock's compatible endpoint",
            answer(400,
                   {.code = "validation_error", .message = "prompt tokens (400007) exceed model maximum (278528)"}),
            context_window},
        row{"Together answers 403",
            answer(403, {.message = "Input plus max_tokens is beyond the maximum context length"}), context_window},
        row{"a 413 may be one", answer(413, {.message = "prompt is too long"}), context_window},
        row{"a 422 may be one", answer(422, {.message = "`inputs` tokens + `max_new_tokens` must be <= 4096"}),
            context_window},
        row{"a strong phrase in a 500 is one",
            answer(500, {.type = "server_error", .message = "Context size has been exceeded."}), context_window},
        row{"a phrase in a 503 is none", answer(503, {.message = "maximum context length"}), transient},
        row{"a code in a 503 is one", answer(503, {.code = "context_length_exceeded"}), context_window},
        row{"a limit per minute is none",
            answer(400, {.message = "maximum context length; tokens per min (TPM) exceeded"}), request},
        row{"in an error event", in_band({.code = "context_length_exceeded"}), context_window},
        row{"in words in an error event", in_band({.type = "invalid_request_error", .message = "prompt is too long"}),
            context_window},
        row{"context comes before policy where both are named",
            answer(400, {.code = "content_filter", .message = "maximum context length"}), context_window}));

INSTANTIATE_TEST_SUITE_P(
    content_policy, failure_class_table,
    testing::Values(
        row{"Azure's code", answer(400, {.code = "content_filter", .param = "prompt"}), content_policy},
        row{"Azure's inner code", answer(400, {.code = "ResponsibleAIPolicyViolation"}), content_policy},
        row{"the code for images", answer(400, {.code = "moderation_blocked"}), content_policy},
        row{"an invalid prompt that speaks of policy",
            answer(400,
                   {.code = "invalid_prompt", .message = "Your prompt was flagged as violating our usage policy."}),
            content_policy},
        row{"an invalid prompt that does not", answer(400, {.code = "invalid_prompt", .message = "Empty."}), request},
        row{"Anthropic's sentence", answer(400, {.message = "Output blocked by content filtering policy"}),
            content_policy},
        row{"a flagged input answered with 403",
            answer(403, {.message = "Requires moderation. Your input was flagged for \"violence\""}), content_policy},
        row{"a code of the cyber family in an event", in_band({.code = "cyber_abuse"}), content_policy}));

INSTANTIATE_TEST_SUITE_P(
    status_4xx, failure_class_table,
    testing::Values(
        row{"401 condemns the deployment", answer(401, {.code = "invalid_api_key"}), configuration},
        row{"402 condemns the deployment", answer(402, {.message = "Insufficient Balance"}), configuration},
        row{"402 with a time to wait throttles", answer(402, {.retry_after_seconds = 3}), throttle},
        row{"402 for a budget in flight throttles", answer(402, {.code = "in_flight_budget_exhausted"}), throttle},
        row{"402 for too many tokens may be served elsewhere",
            answer(402, {.message = "This request requires more credits, or fewer max_tokens."}), incompatible},
        row{"403 condemns the deployment", answer(403, {.message = "Forbidden"}), configuration},
        row{"403 for a model that the project may not use condemns the deployment",
            answer(403, {.code = "model_not_found"}), configuration},
        row{"403 of a firewall, without a body, condemns the deployment", answer(403), configuration},
        row{"404 of a model condemns the deployment", answer(404, {.code = "model_not_found", .param = "model"}),
            configuration},
        row{"404 of a model, only in words, condemns the deployment",
            answer(404, {.message = "The model `x` does not exist."}), configuration},
        row{"404 of a deployment condemns the deployment", answer(404, {.code = "DeploymentNotFound"}), configuration},
        row{"404 of a URL condemns the deployment", answer(404), configuration},
        row{"404 of a previous response ends the request", answer(404, {.code = "previous_response_not_found"}),
            request},
        row{"404 of a named response ends the request",
            answer(404, {.message = "Response with id 'resp_1' not found."}), request},
        row{"404 of a conversation ends the request",
            answer(404, {.message = "Conversation with id 'conv_1' not found."}), request},
        row{"404 of a conversation by its code ends the request", answer(404, {.code = "conversation_not_found"}),
            request},
        row{"404 of a vector store ends the request", answer(404, {.message = "Vector store vs_1 was not found."}),
            request},
        row{"404 of a named model condemns the deployment",
            answer(404, {.message = "The model with id 'm' was not found."}), configuration},
        row{"404 of a file ends the request", answer(404, {.message = "File file-1 not found"}), request},
        row{"404 of a file whose id holds the word model ends the request",
            answer(404, {.message = "No such File object: file_model_x"}), request},
        row{"404 of a file whose id begins with the word model ends the request",
            answer(404, {.message = "File 'model-7' not found"}), request},
        row{"404 of several models condemns the deployment",
            answer(404, {.message = "models/m is not found, as is file f; prompt not found"}), configuration},
        row{"404 that blames a parameter ends the request", answer(404, {.param = "file_id"}), request},
        row{"405 condemns the deployment", answer(405), configuration}, row{"408 may pass", answer(408), transient},
        row{"409 ends the request", answer(409), request},
        row{"410 condemns the deployment", answer(410), configuration},
        row{"413 ends the request", answer(413, {.type = "request_too_large"}), request},
        row{"413 for a limit per minute may be served elsewhere",
            answer(413, {.code = "rate_limit_exceeded", .type = "tokens"}), incompatible},
        row{"415 ends the request", answer(415), request}, row{"421 may pass", answer(421), transient},
        row{"422 ends the request", answer(422), request}, row{"424 may pass", answer(424), transient},
        row{"424 of a tool that the request names ends the request",
            answer(424, {.code = "http_error", .type = "external_connector_error", .param = "tools"}), request},
        row{"425 may pass", answer(425), transient}, row{"426 condemns the deployment", answer(426), configuration},
        row{"431 ends the request", answer(431), request},
        row{"498 for an invalid token condemns the deployment", answer(498, {.message = "invalid token"}),
            configuration},
        row{"498 for capacity throttles", answer(498, {.message = "Flex tier capacity exceeded"}), throttle},
        row{"498 with a capacity code throttles", answer(498, {.code = "capacity_exceeded"}), throttle},
        row{"499 that we did not cause may pass", answer(499), transient},
        row{"an unknown 4xx ends the request", answer(418), request},
        row{"a redirect condemns the deployment", answer(302), configuration}));

INSTANTIATE_TEST_SUITE_P(
    status_429, failure_class_table,
    testing::Values(
        row{"429 throttles", answer(429), throttle},
        row{"429 with a time to wait throttles", answer(429, {.code = "rate_limit_exceeded", .retry_after_seconds = 2}),
            throttle},
        row{"an exhausted quota is said so", answer(429, {.code = "insufficient_quota"}), throttle, true},
        row{"an exhausted quota by type is said so", answer(429, {.type = "insufficient_quota"}), throttle, true},
        row{"an exhausted quota with a time to wait will pass",
            answer(429, {.code = "insufficient_quota", .retry_after_seconds = 9}), throttle, false},
        row{"OpenAI's sentence of an exhausted quota",
            answer(429, {.message = "You exceeded your current quota, please check your plan and billing details. Read "
                                    "https://platform.openai.com/docs/guides/error-codes."}),
            throttle, true},
        row{"Gemini's nearly equal sentence is an ordinary limit",
            answer(429,
                   {.type = "RESOURCE_EXHAUSTED",
                    .message = "You exceeded your current quota, please check your plan and billing details. Head to "
                               "https://ai.google.dev/gemini-api/docs/rate-limits."}),
            throttle, false},
        row{"a spend limit is an exhausted quota", answer(429, {.code = "enforced_spend_limit_reached"}), throttle,
            true},
        row{"a monthly cap is an exhausted quota",
            answer(429, {.message = "You are past the monthly limit of your key"}), throttle, true},
        row{"a request that can never fit may be served elsewhere",
            answer(429,
                   {.code = "rate_limit_exceeded",
                    .message = "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000."}),
            incompatible},
        row{"a request that would fit alone throttles",
            answer(429,
                   {.code = "rate_limit_exceeded",
                    .message = "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 10000."}),
            throttle},
        row{"a used-up minute throttles",
            answer(429, {.message = "Rate limit reached (TPM): Limit 10000, Used 9000, Requested 12000."}), throttle},
        row{"a model that is not ready may pass", answer(429, {.type = "ModelNotReadyException"}), transient}));

INSTANTIATE_TEST_SUITE_P(
    status_5xx, failure_class_table,
    testing::Values(row{"500 may pass", answer(500), transient}, row{"501 may pass", answer(501), transient},
                    row{"502 may pass", answer(502), transient}, row{"503 may pass", answer(503), transient},
                    row{"an overloaded 503 may pass", answer(503, {.code = "server_is_overloaded"}), transient},
                    row{"a 503 that asks to slow down throttles", answer(503, {.code = "slow_down"}), throttle},
                    row{"504 may pass", answer(504), transient}, row{"520 may pass", answer(520), transient},
                    row{"529 may pass", answer(529, {.type = "overloaded_error"}), transient},
                    row{"a 500 with an inner 429 throttles", answer(500, {.code = "429"}), throttle},
                    row{"a 503 with exhausted resources throttles", answer(503, {.type = "RESOURCE_EXHAUSTED"}),
                        throttle},
                    row{"a failing key store may pass", answer(503, {.code = "cmek_unavailable"}), transient}));

INSTANTIATE_TEST_SUITE_P(
    inside_200, failure_class_table,
    testing::Values(
        row{"an error without any word may pass", in_band(), transient},
        row{"a server error may pass", in_band({.code = "server_error"}), transient},
        row{"a server error whose type blames the request may pass",
            in_band({.code = "server_error", .type = "invalid_request_error"}), transient},
        row{"its own numeric status counts", in_band({.type = "invalid_request_error"}, 502), transient},
        row{"a numeric code counts as its status", in_answer({.code = "429"}), throttle},
        row{"a numeric code of 401 condemns the deployment", in_answer({.code = "401"}), configuration},
        row{"a number that is no status does not count", in_answer({.code = "1300", .type = "invalid_request_error"}),
            request},
        row{"an invalid request ends the request", in_band({.type = "invalid_request_error"}, 400), request},
        row{"an invalid value without a status ends the request", in_band({.code = "invalid_value"}), request},
        row{"an overloaded provider may pass", in_band({.type = "overloaded_error"}), transient},
        row{"a rate limit throttles", in_band({.type = "rate_limit_error"}), throttle},
        row{"an exhausted quota throttles", in_band({.code = "insufficient_quota"}), throttle, true},
        row{"a bad key condemns the deployment", in_band({.code = "invalid_api_key"}), configuration},
        row{"a refused permission condemns the deployment", in_band({.type = "permission_error"}), configuration},
        row{"a vanished model condemns the deployment", in_answer({.code = "model_not_found"}), configuration},
        row{"a flagged input is the policy's", in_answer({.code = "flagged_input"}, 403), content_policy},
        row{"a picture that cannot be fetched ends the request", in_band({.code = "failed_to_download_image"}),
            request},
        row{"a bad picture ends the request", in_band({.code = "image_too_small"}), request},
        row{"a picture's file that is missing ends the request", in_band({.code = "image_file_not_found"}), request},
        row{"a tool that the request names ends the request", in_band({.type = "external_connector_error"}), request},
        row{"a timeout inside the provider may pass", in_band({.code = "vector_store_timeout"}), transient}));

// Metadata and logs name the classes, so the names are part of the interface.
TEST(failure_class_names, are_stable) {
    EXPECT_EQ(to_string(request), "request");
    EXPECT_EQ(to_string(context_window), "context_window");
    EXPECT_EQ(to_string(content_policy), "content_policy");
    EXPECT_EQ(to_string(throttle), "throttle");
    EXPECT_EQ(to_string(transient), "transient");
    EXPECT_EQ(to_string(configuration), "configuration");
    EXPECT_EQ(to_string(incompatible), "incompatible");
    EXPECT_EQ(to_string(gateway), "gateway");
}

} // namespace
} // namespace turnout::routing
