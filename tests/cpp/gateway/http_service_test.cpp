#include <string>

#include "gateway/running.hpp"

namespace turnout::gateway {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class http_service_test : public running {
protected:
    /// The answer to a request on a connection of its own.
    std::string ask(const std::string& request) {
        auto c = client();
        c.send(request);
        turns().turn();
        return c.take();
    }
    std::string get(std::string_view target, std::string_view method = "GET") {
        return ask(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: h\r\n\r\n");
    }
};

TEST_F(http_service_test, gives_every_answer_a_request_id) {
    EXPECT_THAT(get("/health/live"), HasSubstr("\r\nx-request-id: req_"));
    EXPECT_THAT(get("/nowhere"), HasSubstr("\r\nx-request-id: req_"));
    EXPECT_THAT(ask("NONSENSE\r\n\r\n"), HasSubstr("\r\nx-request-id: req_"));
    EXPECT_THAT(ask("GET /nowhere HTTP/1.1\r\nHost: h\r\nx-request-id: mine\r\n\r\n"),
                HasSubstr("\r\nx-request-id: mine\r\n"));
}

TEST_F(http_service_test, refuses_unknown_paths_and_methods) {
    EXPECT_THAT(get("/nowhere"), AllOf(StartsWith("HTTP/1.1 404 "), HasSubstr(R"("code":"not_found")")));
    EXPECT_THAT(get("/v1/chat/completions"), AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("\r\nallow: POST\r\n")));
    EXPECT_THAT(ask("DELETE /v1/models HTTP/1.1\r\nHost: h\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 405 "), HasSubstr("\r\nallow: GET, HEAD\r\n")));
    EXPECT_THAT(get("/v1/chat/completions", "HEAD"), AllOf(StartsWith("HTTP/1.1 405 "), EndsWith("\r\n\r\n")));
}

TEST_F(http_service_test, tells_its_models) {
    EXPECT_THAT(get("/v1/models"), EndsWith(R"({"object":"list","data":[{"id":"gpt","object":"model","created":0,)"
                                            R"("owned_by":"turnout","endpoint_count":2}]})"));
    EXPECT_THAT(get("/v1/models/g%70t?x=1"), EndsWith(R"("endpoint_count":2})"));
    EXPECT_THAT(get("/v1/models", "HEAD"), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("\r\n\r\n")));
    EXPECT_THAT(get("/v1/models/other"), AllOf(StartsWith("HTTP/1.1 404 "), HasSubstr("model_not_found")));
    EXPECT_THAT(get("/v1/models/g%7"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(http_service_test, asks_for_a_key_before_the_body) {
    settings.keys = {{"demo", "secret"}};
    EXPECT_THAT(ask("POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n"),
                AllOf(StartsWith("HTTP/1.1 401 "), HasSubstr("invalid_api_key"), HasSubstr("connection: close\r\n")));
    EXPECT_THAT(get("/v1/models"), StartsWith("HTTP/1.1 200 "));
    auto c = client();
    c.send(chat("", "Authorization: Bearer secret\r\n"));
    await_request(up_a);
}

TEST_F(http_service_test, refuses_bodies_that_it_cannot_read) {
    EXPECT_THAT(ask(chat("", "Content-Encoding: gzip\r\n")), StartsWith("HTTP/1.1 415 "));
    EXPECT_THAT(ask("POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n{\"a\""),
                StartsWith("HTTP/1.1 400 "));
}

TEST_F(http_service_test, refuses_bodies_over_the_limit) {
    settings.server.request_body_bytes = 10;
    EXPECT_THAT(ask(chat()), AllOf(StartsWith("HTTP/1.1 413 "), HasSubstr("larger than 10 bytes")));
}

TEST_F(http_service_test, refuses_heads_that_are_too_large) {
    EXPECT_THAT(ask("GET /health/live HTTP/1.1\r\nHost: h\r\nx: " + std::string(70'000, 'x') + "\r\n\r\n"),
                StartsWith("HTTP/1.1 431 "));
}

} // namespace
} // namespace turnout::gateway
