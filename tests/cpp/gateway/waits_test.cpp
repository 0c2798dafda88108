#include <gtest/gtest.h>

#include "class_table.hpp"

// Every form in which a throttle says how long to wait, from the bytes of the answer.
namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using enum routing::failure_class;

class answers_that_ask_to_wait : public testing::TestWithParam<answered_row> {};

TEST_P(answers_that_ask_to_wait, are_understood) {
    RecordProperty("rules",
                   "WAIT-FORM-001 WAIT-FORM-002 WAIT-FORM-003 WAIT-FORM-004 WAIT-FORM-005 WAIT-FORM-006 WAIT-FORM-007");
    const auto result = classify_answer(GetParam());
    EXPECT_EQ(routing::to_string(result.value), routing::to_string(GetParam().expected));
    EXPECT_EQ(result.quota_exhausted, GetParam().quota_exhausted);
    EXPECT_EQ(result.wait, GetParam().wait);
}

INSTANTIATE_TEST_SUITE_P(
    waits, answers_that_ask_to_wait,
    testing::Values(
        answered_row{"milliseconds first", 429, "retry-after-ms: 1500\r\nretry-after: 9\r\n", "", throttle, false,
                     1500ms},
        answered_row{"seconds", 429, "retry-after: 2\r\n", "", throttle, false, 2s},
        answered_row{"a fraction of seconds", 429, "Retry-After: 1.5\r\n", "", throttle, false, 1500ms},
        answered_row{"a date", 429, "Retry-After: Sun, 06 Nov 1994 08:49:39 GMT\r\n", "", throttle, false, 2s},
        answered_row{"a date by the answer's own", 429,
                     "Date: Sun, 06 Nov 1994 10:00:00 GMT\r\nRetry-After: Sun, 06 Nov 1994 10:00:02 GMT\r\n", "",
                     throttle, false, 2s},
        answered_row{"a date of RFC 850", 429, "Retry-After: Sunday, 06-Nov-94 08:49:39 GMT\r\n", "", throttle, false,
                     2s},
        answered_row{"a date of asctime", 429, "Retry-After: Sun Nov  6 08:49:39 1994\r\n", "", throttle, false, 2s},
        answered_row{"an hour", 429, "retry-after: 3600\r\n", "", throttle, false, 3600s},
        answered_row{"nothing in soon", 429, "retry-after: soon\r\n", "", throttle},
        answered_row{"nothing in nothing", 429, "retry-after: \r\n", "", throttle},
        answered_row{"nothing in -1", 429, "retry-after: -1\r\n", "", throttle},
        answered_row{"nothing in NaN", 429, "retry-after: NaN\r\n", "", throttle},
        answered_row{"nothing in inf", 429, "retry-after: inf\r\n", "", throttle},
        answered_row{"nothing in 1e9", 429, "retry-after: 1e9\r\n", "", throttle},
        answered_row{"nothing in Thu, 01 Jan 99999 00:00:00 GMT", 429,
                     "retry-after: Thu, 01 Jan 99999 00:00:00 GMT\r\n", "", throttle},
        answered_row{"nothing in Sun, 06 Nov 1994 08:49:36 GMT", 429, "retry-after: Sun, 06 Nov 1994 08:49:36 GMT\r\n",
                     "", throttle},
        answered_row{"garbage in milliseconds", 429, "retry-after-ms: soon\r\nretry-after: 3\r\n", "", throttle, false,
                     3s},
        answered_row{"garbage, then a bucket", 429,
                     "retry-after: soon\r\nx-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 4s\r\n", "",
                     throttle, false, 4s},
        answered_row{"a header before RetryInfo", 429, "retry-after: 2\r\n",
                     R"([{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED",)"
                     R"("details":[{"retryDelay":"34.4s"}]}}])",
                     throttle, false, 2s},
        answered_row{"RetryInfo before a bucket", 429,
                     "x-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 4s\r\n",
                     R"([{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED",)"
                     R"("details":[{"retryDelay":"34.4s"}]}}])",
                     throttle, false, 34400ms},
        answered_row{"a bucket before a sentence", 429,
                     "x-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 4s\r\n",
                     R"({"error":{"message":"Please try again in 9s.","type":null,"param":null,"code":null}})",
                     throttle, false, 4s},
        answered_row{"OpenAI's bucket", 429,
                     "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: "
                     "6m0s\r\nx-ratelimit-remaining-tokens: 5\r\nx-ratelimit-reset-tokens: 1h0m0s\r\n",
                     "", throttle, false, 360s},
        answered_row{"OpenAI's bucket of milliseconds", 429,
                     "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 12ms\r\n", "", throttle, false,
                     12ms},
        answered_row{"Anthropic's bucket", 429,
                     "anthropic-ratelimit-input-tokens-remaining: 0\r\nanthropic-ratelimit-input-tokens-reset: "
                     "1994-11-06T08:49:47Z\r\n",
                     "", throttle, false, 10s},
        answered_row{"Anthropic's subscription", 429,
                     "anthropic-ratelimit-unified-status: rejected\r\nanthropic-ratelimit-unified-reset: 784111787\r\n",
                     "", throttle, false, 10s},
        answered_row{"Cohere's bucket", 429, "x-ratelimit-reset: 784111787\r\n", "", throttle, false, 10s},
        answered_row{"Azure's meaningless bucket", 429,
                     "x-ratelimit-remaining-tokens: -1\r\nx-ratelimit-reset-tokens: 9s\r\n", "", throttle},
        answered_row{
            "Groq's sentence", 429, "",
            R"({"error":{"message":"Rate limit reached. Please try again in 9m38.016s. Visit x","type":"tokens",)"
            R"("param":null,"code":"rate_limit_exceeded"}})",
            throttle, false, 578016ms},
        answered_row{"Azure's sentence", 429, "",
                     R"({"error":{"message":"Please retry after 30 seconds.","type":null,"param":null,"code":"429"}})",
                     throttle, false, 30s},
        answered_row{"a sentence without a time", 429, "",
                     R"({"error":{"message":"Please try again in a while.","type":null,"param":null,"code":null}})",
                     throttle}));

} // namespace
} // namespace turnout::gateway
