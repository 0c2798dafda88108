#include <chrono>

#include <gtest/gtest.h>

#include "gateway/attempt_log.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;

config::deployment named(const std::string& id, const std::string& label) {
    config::deployment d;
    d.id = id;
    d.label = label;
    d.public_model = "gpt";
    d.upstream_model = "up";
    d.base_url = "http://h";
    return d;
}

class attempt_log : public testing::Test {
protected:
    void failed(routing::position target, routing::failure_class failure, int http_status, base::duration latency) {
        routing::attempt_record a;
        a.target = target;
        a.failure = failure;
        a.report.status = http_status;
        a.report.message = "secret message";
        a.ended = a.started + latency;
        attempts.push_back(a);
    }
    void ok(routing::position target, base::duration latency) {
        routing::attempt_record a;
        a.target = target;
        a.ok = true;
        a.ended = a.started + latency;
        attempts.push_back(a);
    }
    request_summary summary() const {
        return {.request_id = "req_1",
                .stream = stream,
                .status = status,
                .took = took,
                .deployments = table,
                .model = model,
                .strategy = strategy,
                .attempts = attempts,
                .anomalies = anomalies,
                .error_code = code};
    }
    std::string line() const {
        std::string out;
        write_log_line(out, summary());
        return out;
    }

    static config::configuration settings() {
        config::configuration c;
        c.deployments = {named("x", "primary"), named("abc", ""), named("y", "")};
        c.deployments[2].public_model = "spare";
        return c;
    }

    const deployment_table table{settings()};
    // Positions are not keys, and the third deployment is of another model's pool.
    const model_routes model{
        .name = "gpt",
        .routes = {.deployments = {{}, {}, {}}, .pools = {{0, 2}, {2, 3}}, .chains = {{{1}, {}, {}}}},
        .refs = {{.key = 1}, {.key = 0}, {.key = 2}},
        .pool_names = {"gpt", "spare"}};
    routing::strategy strategy = routing::strategy::simple_shuffle;
    std::vector<routing::attempt_record> attempts;
    std::vector<std::string_view> anomalies;
    std::string_view code;
    bool stream = false;
    int status = 200;
    base::duration took = 42ms + 999us;
};

TEST_F(attempt_log, tells_of_a_served_request_in_one_line) {
    failed(0, routing::failure_class::throttle, 429, 12ms);
    ok(1, 30ms);
    EXPECT_EQ(line(), R"(request="req_1" model="gpt" stream=false status=200 ms=42 served="primary" attempts=2)"
                      R"( attempt="dep_ba7816bf8f01 throttle 429 12ms" attempt="primary ok 30ms")");
}

TEST_F(attempt_log, tells_of_a_failed_request_in_one_line) {
    failed(1, routing::failure_class::transient, 0, 5ms);
    stream = true;
    status = 502;
    code = "upstream_stream_truncated";
    EXPECT_EQ(line(),
              R"(request="req_1" model="gpt" stream=true status=502 code=upstream_stream_truncated ms=42 attempts=1)"
              R"( attempt="primary transient 5ms")");
}

TEST_F(attempt_log, tells_anomalies) {
    ok(1, 0ms);
    anomalies = {"missing_done", "unmet_n"};
    EXPECT_EQ(line(), R"(request="req_1" model="gpt" stream=false status=200 ms=42 served="primary" attempts=1)"
                      R"( attempt="primary ok 0ms" anomaly=missing_done anomaly=unmet_n)");
}

TEST_F(attempt_log, tells_of_a_request_without_attempts) {
    status = 499;
    EXPECT_EQ(line(), R"(request="req_1" model="gpt" stream=false status=499 ms=42 attempts=0)");
}

// A provider writes its code itself: it must not write lines of ours, nor its words or a prompt's.
TEST_F(attempt_log, shows_no_code_that_is_not_a_word) {
    status = 500;
    code = "bad\nrequest=\"forged\"";
    EXPECT_EQ(line(), R"(request="req_1" model="gpt" stream=false status=500 code=other ms=42 attempts=0)");
    EXPECT_EQ(loggable_code(std::string(64, 'a')), std::string(64, 'a'));
    EXPECT_EQ(loggable_code(std::string(65, 'a')), "other");
    EXPECT_EQ(loggable_code("the prompt"), "other");
    EXPECT_EQ(loggable_code(""), "");
}

TEST_F(attempt_log, follows_what_is_in_the_line_already) {
    status = 499;
    std::string out = "before ";
    write_log_line(out, summary());
    EXPECT_EQ(out, R"(before request="req_1" model="gpt" stream=false status=499 ms=42 attempts=0)");
}

TEST_F(attempt_log, gives_metadata_of_a_served_request) {
    failed(0, routing::failure_class::throttle, 429, 12ms);
    ok(1, 30ms);
    EXPECT_EQ(routing_metadata(summary()),
              R"({"served_model":"gpt","routing_strategy":"simple-shuffle","unsupported_parameter_strategy":"drop",)"
              R"("fallback_used":false,"attempt_count":2,"served_deployment":")"
                  + public_id("x")
                  + R"(","attempts":[{"index":0,"ok":false,"latency_ms":12,"deployment":"dep_ba7816bf8f01",)"
                    R"("error_class":"throttle","http_status":429},{"index":1,"ok":true,"latency_ms":30,"deployment":")"
                  + public_id("x") + R"("}]})");
}

TEST_F(attempt_log, gives_metadata_of_an_attempt_without_an_answer) {
    failed(0, routing::failure_class::transient, 0, 1ms);
    EXPECT_EQ(routing_metadata(summary()),
              R"({"served_model":"gpt","routing_strategy":"simple-shuffle","unsupported_parameter_strategy":"drop",)"
              R"("fallback_used":false,"attempt_count":1,"attempts":[{"index":0,"ok":false,"latency_ms":1,)"
              R"("deployment":"dep_ba7816bf8f01","error_class":"transient"}]})");
}

TEST_F(attempt_log, gives_metadata_of_a_fallback) {
    strategy = routing::strategy::least_busy;
    failed(1, routing::failure_class::transient, 500, 1ms);
    ok(2, 2ms);
    const auto metadata = routing_metadata(summary());
    EXPECT_NE(metadata.find(R"({"served_model":"spare","routing_strategy":"least-busy",)"), std::string::npos);
    EXPECT_NE(metadata.find(R"("fallback_used":true,"attempt_count":2,"served_deployment":")" + public_id("y")),
              std::string::npos);
}

TEST_F(attempt_log, says_that_an_incompatible_deployment_is_not_ill) {
    failed(0, routing::failure_class::incompatible, 413, 1ms);
    EXPECT_NE(routing_metadata(summary()).find(R"("http_status":413,"health_impact":"neutral"})"), std::string::npos);
}

} // namespace
} // namespace turnout::gateway
