#include <gmock/gmock.h>

#include "admin/log_json.hpp"

namespace turnout::admin {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;

journal::request_entry failed_over() {
    journal::request_entry e;
    e.number = 0x1f;
    e.request_id = "req_1";
    e.public_model = "gpt";
    e.served_model = "spare";
    e.call_type = "chat";
    e.outcome = "success";
    e.strategy = "simple-shuffle";
    e.fallback_reason = "general";
    e.key_name = "demo";
    e.prompt_tokens = 3;
    e.completion_tokens = 4;
    e.total_tokens = 7;
    e.started = {1'700'000'000'009};
    e.took = 250ms;
    e.status = 200;
    e.stream = e.fallback_used = e.degraded = true;
    auto& first = e.attempts.add();
    first.deployment = "dep_a";
    first.label = "a";
    first.adapter = "openai";
    first.public_model = "gpt";
    first.failure = "transient";
    first.detail = "the connection failed";
    first.circuit = "opened";
    first.cause = "transient";
    first.circuit_until = {1'700'000'005'009};
    first.capacity_until = {1'700'000'006'000};
    first.status = 500;
    first.latency = 100ms;
    first.waited = 20ms;
    auto& second = e.attempts.add();
    second.deployment = "dep_b";
    second.adapter = "openaicompatible";
    second.public_model = "spare";
    second.anomalies = "missing_done,unclean_close";
    second.latency = 130ms;
    second.committed = true;
    return e;
}

constexpr std::string_view row =
    R"({"id":"op_000000000000001f","requestId":"req_1","virtualKeyId":null,"actor":"demo","publicModel":"gpt",)"
    R"("servedModel":"spare","servedDeploymentId":"dep_b","callType":"chat","lifecycleState":"finished",)"
    R"("outcome":"success","degraded":true,"terminalVerified":true,"stream":true,"cacheHit":false,"httpStatus":200,)"
    R"("errorCode":null,"routingStrategy":"simple-shuffle","fallbackUsed":true,"fallbackReason":"general",)"
    R"("attemptCount":2,"promptTokens":3,"completionTokens":4,"totalTokens":7,"durationMs":250,)"
    R"("startedAt":"2023-11-14T22:13:20.009Z")";

TEST(log_json, writes_a_row_with_its_attempts) {
    EXPECT_EQ(
        log_detail_json(failed_over()),
        "{\"data\":" + std::string(row)
            + R"(,"attempts":[{"index":0,"deploymentId":"dep_a","deploymentLabel":"a","adapterKey":"openai",)"
              R"("publicModel":"gpt","ok":false,"failureKind":"transient","failureDetail":"the connection failed","httpStatus":500,"latencyMs":100,"waitedMs":20,)"
              R"("committed":false,"anomalies":[],"circuit":{"effect":"opened","cause":"transient",)"
              R"("until":"2023-11-14T22:13:25.009Z"},"capacityUntil":"2023-11-14T22:13:26.000Z"},)"
              R"({"index":1,"deploymentId":"dep_b","deploymentLabel":null,"adapterKey":"openaicompatible",)"
              R"("publicModel":"spare","ok":true,"failureKind":null,"failureDetail":null,"httpStatus":null,"latencyMs":130,"waitedMs":0,)"
              R"("committed":true,"anomalies":["missing_done","unclean_close"],"circuit":null,"capacityUntil":null}]}})");
}

TEST(log_json, writes_a_page_of_rows_without_their_attempts) {
    journal::page p;
    p.rows.push_back(failed_over());
    p.total = 3;
    EXPECT_EQ(log_page_json(p, 1, 1),
              "{\"data\":[" + std::string(row) + R"(}],"pagination":{"limit":1,"offset":1,"total":3,"nextOffset":2}})");
}

TEST(log_json, says_when_a_page_is_the_last) {
    journal::page p;
    p.rows.push_back(failed_over());
    p.total = 2;
    EXPECT_THAT(log_page_json(p, 1, 0), EndsWith(R"("nextOffset":1}})"));
    EXPECT_THAT(log_page_json(p, 1, 1), EndsWith(R"("nextOffset":null}})"));
    p.rows.clear();
    EXPECT_EQ(log_page_json(p, 1, 5), R"({"data":[],"pagination":{"limit":1,"offset":5,"total":2,"nextOffset":null}})");
}

TEST(log_json, writes_null_for_what_a_row_lacks) {
    const auto text = log_detail_json({});
    for (const auto* name : {"actor", "publicModel", "servedModel", "servedDeploymentId", "outcome", "httpStatus",
                             "errorCode", "fallbackReason", "promptTokens", "completionTokens", "totalTokens"})
        EXPECT_THAT(text, HasSubstr("\"" + std::string(name) + "\":null")) << name;
    EXPECT_THAT(text, HasSubstr(R"("terminalVerified":false)"));
    EXPECT_THAT(text, HasSubstr(R"("startedAt":"1970-01-01T00:00:00.000Z")"));
}

TEST(log_json, names_no_deployment_where_the_last_attempt_failed) {
    auto e = failed_over();
    e.attempts.add().failure = "transient";
    EXPECT_THAT(log_detail_json(e), HasSubstr(R"("servedDeploymentId":null)"));
}

TEST(log_json, stays_json_whatever_a_text_holds) {
    journal::request_entry e;
    e.request_id = "a\"\xff\n";
    EXPECT_THAT(log_detail_json(e), HasSubstr("\"requestId\":\"a\\\"\xef\xbf\xbd\\n\""));
}

} // namespace
} // namespace turnout::admin
