#include <string>

#include <gtest/gtest.h>

#include "codec/http1.hpp"
#include "codec/http1_transcript.hpp"

namespace turnout::codec::http1 {
namespace {

void expect_answer(const sample& s) { expect_transcript(message_kind::response, s); }

const std::string ok = "HTTP/1.1 200 OK\r\n";

TEST(http1_response, with_length) {
    expect_answer({"length", ok + "Content-Length: 2\r\n\r\nhi", "200 1.1 {Content-Length=2} keep length=2 <hi> ."});
    expect_answer({"zero", ok + "Content-Length: 0\r\n\r\n", "200 1.1 {Content-Length=0} keep length=0 ."});
    expect_answer(
        {"no reason", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", "404 1.1 {Content-Length=0} keep length=0 ."});
    expect_answer({"reason in utf-8", "HTTP/1.1 200 \xC3\xA9\r\nContent-Length: 0\r\n\r\n",
                   "200 1.1 {Content-Length=0} keep length=0 ."});
    expect_answer({"unknown status", "HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n",
                   "599 1.1 {Content-Length=0} keep length=0 ."});
}

TEST(http1_response, chunked) {
    expect_answer({"chunks", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked <hi!> ."});
    expect_answer({"extensions and trailers",
                   ok + "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nServer-Timing: a\r\nB: c\r\n\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked <hi> ."});
    expect_answer({"several extensions",
                   ok + "Transfer-Encoding: chunked\r\n\r\n2;x=y;z=\";\" ; v\r\nhi\r\n0;a=b;c\r\n\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked <hi> ."});
}

TEST(http1_response, until_close) {
    expect_answer({"1.1", ok + "\r\nhi\r\nthere", "200 1.1 {} <hi\r\nthere> ."});
    expect_answer(
        {"1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhi", "200 1.0 {Connection=keep-alive} <hi> ."});
    expect_answer({"empty", ok + "\r\n", "200 1.1 {} ."});
}

TEST(http1_response, informational_answers_are_skipped) {
    const std::string last = ok + "Content-Length: 2\r\n\r\nhi";
    const std::string expected = "200 1.1 {Content-Length=2} keep length=2 <hi> .";
    expect_answer({"100", "HTTP/1.1 100 Continue\r\n\r\n" + last, expected});
    expect_answer(
        {"100, 103", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + last, expected});
    expect_answer({"with close", "HTTP/1.1 102 Processing\r\nConnection: close\r\n\r\n" + last, expected});
    expect_answer({"with length", "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n" + last, expected});
    expect_answer({"then nothing", "HTTP/1.1 100 Continue\r\n\r\n", "!truncated"});
    expect_answer(
        {"switching", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "!malformed"});
}

TEST(http1_response, an_upgrade_that_was_asked_for) {
    parser asked(message_kind::response);
    asked.expect_upgrade();
    const std::string bytes = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n"
                              "Connection: upgrade\r\nContent-Length: 7\r\n\r\nbytes of x";
    std::string_view rest = bytes;
    EXPECT_EQ(asked.next(rest).type, event_type::head);
    EXPECT_EQ(asked.current().status(), 101);
    EXPECT_EQ(asked.current().find("upgrade"), "x");
    EXPECT_EQ(rest, "bytes of x");

    parser refused(message_kind::response);
    refused.expect_upgrade();
    const std::string answer = ok + "Content-Length: 0\r\n\r\n";
    rest = answer;
    EXPECT_EQ(refused.next(rest).type, event_type::head);
    EXPECT_EQ(refused.next(rest).type, event_type::complete);
}

TEST(http1_response, statuses_without_body) {
    const std::string next = ok + "Content-Length: 1\r\n\r\na";
    const std::string next_expected = " 200 1.1 {Content-Length=1} keep length=1 <a> .";
    expect_answer({"204", "HTTP/1.1 204 No Content\r\n\r\n" + next, "204 1.1 {} keep ." + next_expected});
    expect_answer({"204 with length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n" + next,
                   "204 1.1 {Content-Length=5} keep length=5 ." + next_expected});
    expect_answer({"304 with coding", "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n" + next,
                   "304 1.1 {Transfer-Encoding=chunked} keep chunked ." + next_expected});
}

TEST(http1_response, answers_to_head) {
    // Only the first answer is one to HEAD.
    expect_answer(
        {"length",
         "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 5\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na",
         "200 1.1 {Content-Length=5} keep length=5 . 200 1.1 {Content-Length=1} keep length=1 <a> .",
         {},
         true});
    expect_answer({"no length", ok + "\r\n", "200 1.1 {} keep .", {}, true});
    expect_answer({"chunked",
                   ok + "Transfer-Encoding: chunked\r\n\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked .",
                   {},
                   true});
}

TEST(http1_response, keep_alive) {
    expect_answer({"close", ok + "connection: Close\r\nContent-Length: 0\r\n\r\n",
                   "200 1.1 {connection=Close,Content-Length=0} length=0 ."});
    expect_answer({"1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "200 1.0 {Content-Length=0} length=0 ."});
    expect_answer({"1.0 kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
                   "200 1.0 {Connection=keep-alive,Content-Length=0} keep length=0 ."});
    expect_answer({"upgrade offered", ok + "Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 1\r\n\r\na",
                   "200 1.1 {Upgrade=h2c,Connection=upgrade,Content-Length=1} keep length=1 <a> ."});
}

TEST(http1_response, truncated) {
    expect_answer({"nothing", "", ""});
    expect_answer({"status line", "HTTP/1.1 2", "!truncated"});
    expect_answer({"head", ok + "A: b\r\n", "!truncated"});
    expect_answer(
        {"length", ok + "Content-Length: 5\r\n\r\nhi", "200 1.1 {Content-Length=5} keep length=5 <hi> !truncated"});
    expect_answer(
        {"length, no byte", ok + "Content-Length: 5\r\n\r\n", "200 1.1 {Content-Length=5} keep length=5 !truncated"});
    expect_answer({"chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhi",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked <hi> !truncated"});
    expect_answer({"last chunk missing", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked <hi> !truncated"});
    expect_answer({"last line missing", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n",
                   "200 1.1 {Transfer-Encoding=chunked} keep chunked !truncated"});
}

TEST(http1_response, refused) {
    expect_answer(
        {"length and coding", ok + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n", "!framing"});
    expect_answer({"lengths", ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi", "!framing"});
    expect_answer({"coding", ok + "Transfer-Encoding: gzip\r\n\r\nhi", "!framing"});
    expect_answer({"2", "HTTP/2 200\r\n\r\n", "!version"});
    expect_answer({"2.0", "HTTP/2.0 200 OK\r\n\r\n", "!version"});
    expect_answer({"icy", "ICY 200 OK\r\n\r\n", "!malformed"});
    expect_answer({"short status", "HTTP/1.1 20 OK\r\n\r\n", "!malformed"});
    expect_answer({"long status", "HTTP/1.1 2000 OK\r\n\r\n", "!malformed"});
    expect_answer({"leading zero", "HTTP/1.1 0200 OK\r\n\r\n", "!malformed"});
    expect_answer({"status and no reason", "HTTP/1.1 200x\r\n\r\n", "!malformed"});
    expect_answer({"two spaces", "HTTP/1.1  200 OK\r\n\r\n", "!malformed"});
    expect_answer({"status below 100", "HTTP/1.1 099 OK\r\n\r\n", "!malformed"});
    expect_answer({"fold", ok + "A: b\r\n c\r\nContent-Length: 0\r\n\r\n", "!malformed"});
    expect_answer({"bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "!malformed"});
    expect_answer({"nul", ok + std::string("A: \0\r\n\r\n", 8), "!malformed"});
    expect_answer({"blank line first", "\r\n" + ok + "Content-Length: 0\r\n\r\n", "!malformed"});
    expect_answer({"more than the length", ok + "Content-Length: 2\r\n\r\nhi!",
                   "200 1.1 {Content-Length=2} keep length=2 <hi> . !malformed"});
}

} // namespace
} // namespace turnout::codec::http1
