#include <string>

#include <gtest/gtest.h>

#include "codec/http1.hpp"
#include "codec/http1_transcript.hpp"

namespace turnout::codec::http1 {
namespace {

constexpr limits small{.head_bytes = 80, .headers = 3};
const std::string refused_size = "!head_too_large";

std::string fill(std::size_t size, const std::string& before, const std::string& after) {
    return before + std::string(size - before.size() - after.size(), 'a') + after;
}

TEST(http1_limits, bytes_of_a_request_head) {
    const std::string target = fill(80, "GET /", " HTTP/1.1\r\nHost: h\r\n\r\n");
    const std::string path(80 - std::string("GET  HTTP/1.1\r\nHost: h\r\n\r\n").size() - 1, 'a');
    expect_transcript(message_kind::request, {"target at", target, "GET /" + path + " 1.1 {Host=h} keep .", small});
    expect_transcript(message_kind::request,
                      {"at, then another", target + target,
                       "GET /" + path + " 1.1 {Host=h} keep . GET /" + path + " 1.1 {Host=h} keep .", small});

    const auto refuse = [](const char* title, const std::string& bytes) {
        expect_transcript(message_kind::request, {title, bytes, refused_size, small});
    };
    refuse("target over", fill(81, "GET /", " HTTP/1.1\r\nHost: h\r\n\r\n"));
    refuse("value over", fill(81, "GET / HTTP/1.1\r\nHost: h\r\nA: ", "\r\n\r\n"));
    refuse("name over", fill(81, "GET / HTTP/1.1\r\nHost: h\r\nA", ":\r\n\r\n"));
    refuse("never ends", fill(500, "GET /", ""));
    refuse("value never ends", fill(500, "GET / HTTP/1.1\r\nA: ", ""));
    // At the limit and not complete: whatever follows is too much.
    refuse("exactly used up", fill(80, "GET / HTTP/1.1\r\nA: ", ""));
}

TEST(http1_limits, bytes_of_an_answer_head) {
    const std::string value(80 - std::string("HTTP/1.1 204 N\r\nA: \r\n\r\n").size(), 'a');
    expect_transcript(message_kind::response,
                      {"at", fill(80, "HTTP/1.1 204 N\r\nA: ", "\r\n\r\n"), "204 1.1 {A=" + value + "} keep .", small});
    expect_transcript(message_kind::response,
                      {"over", fill(81, "HTTP/1.1 204 N\r\nA: ", "\r\n\r\n"), refused_size, small});
    expect_transcript(message_kind::response,
                      {"reason over", fill(81, "HTTP/1.1 204 ", "\r\n\r\n"), refused_size, small});
}

TEST(http1_limits, informational_answers_share_the_limit) {
    const std::string hint = "HTTP/1.1 100 C\r\n\r\n"; // 18 bytes
    const std::string last = "HTTP/1.1 204 N\r\n\r\n"; // 18 bytes
    expect_transcript(message_kind::response, {"72 bytes", hint + hint + hint + last, "204 1.1 {} keep .", small});
    expect_transcript(message_kind::response, {"90 bytes", hint + hint + hint + hint + last, refused_size, small});
    expect_transcript(message_kind::response,
                      {"used up by hints", fill(80, "HTTP/1.1 103 E\r\nA: ", "\r\n\r\n") + last, refused_size, small});
}

TEST(http1_limits, count_of_headers) {
    expect_transcript(message_kind::request, {"at", "GET / HTTP/1.1\r\nHost: h\r\nA:\r\nB:\r\n\r\n",
                                              "GET / 1.1 {Host=h,A=,B=} keep .", small});
    expect_transcript(message_kind::request,
                      {"over", "GET / HTTP/1.1\r\nHost: h\r\nA:\r\nB:\r\nC:\r\n\r\n", "!too_many_headers", small});
    // Each 1xx has its own count.
    expect_transcript(message_kind::response,
                      {"after a hint",
                       "HTTP/1.1 103 E\r\nA:\r\nB:\r\nC:\r\n\r\nHTTP/1.1 204 N\r\nA:\r\nB:\r\nC:\r\n\r\n",
                       "204 1.1 {A=,B=,C=} keep .", small});
}

TEST(http1_limits, defaults_are_100_headers_and_64_kib) {
    std::string lines = "HTTP/1.1 204 N\r\n";
    for (int i = 0; i < 100; ++i) {
        lines += "A: b\r\n";
    }
    transcript most{message_kind::response};
    most.feed(lines + "\r\n");
    EXPECT_TRUE(most.text().ends_with(" ."));
    transcript more{message_kind::response};
    more.feed(lines + "A: b\r\n\r\n");
    EXPECT_EQ(more.text(), "!too_many_headers");

    transcript longest{message_kind::response};
    longest.feed(fill(65536, "HTTP/1.1 204 N\r\nA: ", "\r\n\r\n"));
    EXPECT_TRUE(longest.text().ends_with(" ."));
    transcript longer{message_kind::response};
    longer.feed(fill(65537, "HTTP/1.1 204 N\r\nA: ", "\r\n\r\n"));
    EXPECT_EQ(longer.text(), refused_size);
}

std::string chunked(const std::string& body) { return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body; }
const std::string chunked_head = "200 1.1 {Transfer-Encoding=chunked} keep chunked";

TEST(http1_limits, trailers) {
    expect_transcript(message_kind::response,
                      {"bytes at", chunked(fill(80, "0\r\nT: ", "\r\n\r\n")), chunked_head + " .", small});
    expect_transcript(message_kind::response, {"bytes over", chunked(fill(81, "0\r\nT: ", "\r\n\r\n")),
                                               chunked_head + " " + refused_size, small});
    expect_transcript(message_kind::response,
                      {"count at", chunked("0\r\nA:\r\nB:\r\nC:\r\n\r\n"), chunked_head + " .", small});
    expect_transcript(message_kind::response, {"count over", chunked("0\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n"),
                                               chunked_head + " !too_many_headers", small});
}

TEST(http1_limits, extensions_of_one_chunk) {
    const std::string at = fill(80, "1;", "\r\n") + "x";
    const std::string rest = "\r\n0\r\n\r\n";
    expect_transcript(message_kind::response, {"at", chunked(at + rest), chunked_head + " <x> .", small});
    expect_transcript(message_kind::response,
                      {"over", chunked(fill(81, "1;", "\r\n") + "x" + rest), chunked_head + " " + refused_size, small});
    const std::string again = "\r\n" + fill(78, "1;", "\r\n") + "x";
    expect_transcript(message_kind::response,
                      {"they do not add up", chunked(at + again + again + rest), chunked_head + " <xxx> .", small});
}

} // namespace
} // namespace turnout::codec::http1
