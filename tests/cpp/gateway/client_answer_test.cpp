#include <chrono>

#include <gtest/gtest.h>

#include "gateway/client_answer.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using base::failure_origin;

/// A route over one deployment, whose only attempt fails as reported.
class client_answer_test : public testing::Test {
protected:
    client_answer_test() : table(settings()) {}

    static config::configuration settings() {
        config::deployment d;
        d.id = "x";
        d.public_model = "gpt";
        d.upstream_model = "secret-model";
        d.api_key = "sk-1";
        d.base_url = "http://upstream.internal:9/v1";
        config::configuration c;
        c.deployments = {d};
        return c;
    }

    client_answer after(base::failure_report report) {
        routing::route_fsm fsm({.map = &table.find("gpt")->text[config::transport::chat].routes, .max_attempts = 1});
        base::splitmix random(1);
        fsm.resume({}, routing::begun{}, random);
        fsm.resume({}, routing::admitted{.target = 0}, random);
        fsm.resume({}, routing::attempt_failed{std::move(report)}, random);
        fsm.resume({}, routing::settled{}, random);
        return answer_for(fsm, [this](routing::position) -> const deployment& { return table.at(0); });
    }

    deployment_table table;
};

TEST(answer_fields, name_type_and_request) {
    EXPECT_EQ(json_fields("req_1"), "content-type: application/json\r\nx-request-id: req_1\r\n");
    EXPECT_EQ(stream_fields(contract_of(contract_kind::chat), "req_1"),
              "content-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n"
              "x-accel-buffering: no\r\nx-request-id: req_1\r\n");
}

TEST_F(client_answer_test, relays_the_providers_words_without_what_is_ours) {
    const auto a = after({.origin = failure_origin::upstream_answer,
                          .status = 400,
                          .code = "sk-1_code",
                          .type = "x",
                          .param = "secret-model",
                          .message = "secret-model at http://upstream.internal:9/v1 refused sk-1"});
    EXPECT_EQ(a.error.status, 400);
    EXPECT_EQ(a.error.message, "gpt at [upstream] refused [redacted]");
    EXPECT_EQ(a.error.code, "[redacted]_code");
    EXPECT_EQ(a.error.param, "gpt");
    EXPECT_EQ(a.fields, "");
}

TEST_F(client_answer_test, has_words_of_its_own_where_the_provider_has_none) {
    for (const auto* message : {"", "<html><body>Bad gateway</body></html>"}) {
        const auto a = after({.origin = failure_origin::upstream_answer, .status = 500, .message = message});
        EXPECT_EQ(a.error.status, 500);
        EXPECT_EQ(a.error.message, "The upstream answered with status 500.");
    }
}

TEST_F(client_answer_test, says_how_long_to_wait) {
    const auto a = after({.origin = failure_origin::upstream_answer, .status = 429, .retry_after = 1500ms});
    EXPECT_EQ(a.error.status, 429);
    EXPECT_EQ(a.fields, "retry-after: 2\r\n");
}

TEST_F(client_answer_test, says_when_repeating_is_pointless) {
    const auto a = after({.origin = failure_origin::upstream_answer, .status = 401, .message = "wrong key sk-1"});
    EXPECT_EQ(a.error.status, 503);
    EXPECT_EQ(a.error.code, "model_unavailable");
    EXPECT_EQ(a.error.message.find("key"), std::string::npos);
    EXPECT_EQ(a.fields, "x-should-retry: false\r\n");
}

TEST_F(client_answer_test, keeps_what_the_transport_said_to_itself) {
    const auto a = after({.origin = failure_origin::connect_failed, .message = "10.0.0.7 refused"});
    EXPECT_EQ(a.error.status, 502);
    EXPECT_EQ(a.error.message, "The upstream could not be reached.");
}

} // namespace
} // namespace turnout::gateway
