#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codec/http1.hpp"
#include "codec/http1_rules.hpp"
#include "codec/http1_transcript.hpp"

namespace turnout::codec::http1 {
namespace {

using namespace std::string_literals;

/// A POST with a Host, the given further header lines, an empty line, and the given bytes.
std::string post(const std::string& lines, const std::string& body = {}) {
    return "POST /p HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n" + body;
}

std::string chunked(const std::string& body) { return post("Transfer-Encoding: chunked\r\n", body); }

const std::string chunked_head = "POST /p 1.1 {Host=h,Transfer-Encoding=chunked} keep chunked";

void expect_request(const sample& s) { expect_transcript(message_kind::request, s); }

TEST(http1_request, without_body) {
    expect_request({"get", "GET /a?b=c%20d HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a?b=c%20d 1.1 {Host=h} keep ."});
    expect_request({"options", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS * 1.1 {Host=h} keep ."});
    expect_request({"absolute", "GET http://h/a HTTP/1.1\r\nHost: h\r\n\r\n", "GET http://h/a 1.1 {Host=h} keep ."});
    expect_request({"post without length", post(""), "POST /p 1.1 {Host=h} keep ."});
    expect_request({"empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / 1.1 {Host=} keep ."});
}

TEST(http1_request, blanks_around_values_are_dropped) {
    expect_request({"blanks", "GET / HTTP/1.1\r\nhost:h\r\nA: \t x  y\t \r\nB:\r\nC: \t\r\nD: \xC3\xA9\r\n\r\n",
                    "GET / 1.1 {host=h,A=x  y,B=,C=,D=\xC3\xA9} keep ."});
}

TEST(http1_request, with_length) {
    expect_request({"length", post("Content-Length: 3\r\n", "abc"),
                    "POST /p 1.1 {Host=h,Content-Length=3} keep length=3 <abc> ."});
    expect_request({"zero", post("Content-Length: 0\r\n"), "POST /p 1.1 {Host=h,Content-Length=0} keep length=0 ."});
    expect_request({"leading zeros", post("Content-Length: 003 \r\n", "a\r\n"),
                    "POST /p 1.1 {Host=h,Content-Length=003} keep length=3 <a\r\n> ."});
}

TEST(http1_request, chunked) {
    expect_request(
        {"chunks", chunked("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"), chunked_head + " <abc0123456789> ."});
    expect_request({"empty", chunked("0\r\n\r\n"), chunked_head + " ."});
    expect_request({"case", post("transfer-encoding: CHUNKED\r\n", "0\r\n\r\n"),
                    "POST /p 1.1 {Host=h,transfer-encoding=CHUNKED} keep chunked ."});
    expect_request({"extensions", chunked("3;a;b=c\r\nabc\r\n0;d=e\r\n\r\n"), chunked_head + " <abc> ."});
    for (const std::string& extension : std::vector<std::string>{
             ";a=b;c=d", ";a=\"b\";c", ";a=\"b\\\"\\\\;c\"", ";a=\"\";b=\"\t \xff\"", " ;a", "\t; a \t= b ;c= \"d\"",
             ";a ;b", ";!#$%&'*+-.^_`|~09AZaz=~", ";a=" + std::string(200, 'b')}) {
        const std::string body =
            "3" + extension + "\r\nabc\r\n00f" + extension + "\r\n0123456789abcde\r\n0" + extension;
        expect_request({"extension", chunked(body + "\r\nT: v;w\r\n\r\n"), chunked_head + " <abc0123456789abcde> ."});
    }
    expect_request({"trailers", chunked("1\r\na\r\n0\r\nT: v\r\nHost: other\r\n\r\n"), chunked_head + " <a> ."});
    expect_request({"payload like framing", chunked("6\r\n0\r\n\r\n \r\n0\r\n\r\n"), chunked_head + " <0\r\n\r\n > ."});
    expect_request({"payload of blanks", chunked("2\r\n \t\r\n1\r\n\n\r\n0\r\n\r\n"), chunked_head + " < \t\n> ."});
}

TEST(http1_request, pipelined) {
    expect_request({"three", post("Content-Length: 2\r\n", "hi") + chunked("1\r\nx\r\n0\r\n\r\n") + post(""),
                    "POST /p 1.1 {Host=h,Content-Length=2} keep length=2 <hi> . " + chunked_head
                        + " <x> . POST /p 1.1 {Host=h} keep ."});
    expect_request({"blank lines between", "\r\n" + post("Content-Length: 1\r\n", "a\r\n\r\n") + post("") + "\r\n",
                    "POST /p 1.1 {Host=h,Content-Length=1} keep length=1 <a> . POST /p 1.1 {Host=h} keep ."});
}

TEST(http1_request, keep_alive) {
    expect_request({"close", post("Connection: x, Close\r\n"), "POST /p 1.1 {Host=h,Connection=x, Close} ."});
    expect_request({"two headers", post("Connection: keep-alive\r\nConnection: close\r\n"),
                    "POST /p 1.1 {Host=h,Connection=keep-alive,Connection=close} ."});
    expect_request({"not a token", post("Connection: closed\r\n"), "POST /p 1.1 {Host=h,Connection=closed} keep ."});
    expect_request({"1.0", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 {} ."});
    expect_request(
        {"1.0 kept", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / 1.0 {Connection=Keep-Alive} keep ."});
}

TEST(http1_request, expects_continue) {
    expect_request({"with body", post("Expect: 100-Continue\r\nContent-Length: 1\r\n", "a"),
                    "POST /p 1.1 {Host=h,Expect=100-Continue,Content-Length=1} keep length=1 continue <a> ."});
    expect_request({"chunked", post("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
                    "POST /p 1.1 {Host=h,Expect=100-continue,Transfer-Encoding=chunked} keep chunked continue ."});
    expect_request(
        {"without body", post("Expect: 100-continue\r\n"), "POST /p 1.1 {Host=h,Expect=100-continue} keep ."});
    expect_request({"1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na",
                    "POST / 1.0 {Expect=100-continue,Content-Length=1} length=1 <a> ."});
    expect_request({"other", post("Expect: 200-ok\r\nContent-Length: 1\r\n", "a"),
                    "POST /p 1.1 {Host=h,Expect=200-ok,Content-Length=1} keep length=1 <a> ."});
}

TEST(http1_request, upgrade_is_ignored) {
    expect_request({"websocket", post("Upgrade: websocket\r\nConnection: upgrade\r\n") + post(""),
                    "POST /p 1.1 {Host=h,Upgrade=websocket,Connection=upgrade} keep . POST /p 1.1 {Host=h} keep ."});
    expect_request({"h2c with body", post("Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 2\r\n", "hi"),
                    "POST /p 1.1 {Host=h,Upgrade=h2c,Connection=upgrade,Content-Length=2} keep length=2 <hi> ."});
}

TEST(http1_request, truncated) {
    expect_request({"nothing", "", ""});
    expect_request({"blank lines only", "\r\n\r\n", ""});
    expect_request({"start line", "GET / HT", "!truncated"});
    expect_request({"head", "GET / HTTP/1.1\r\nHost: h\r\n", "!truncated"});
    expect_request({"length", post("Content-Length: 3\r\n", "ab"),
                    "POST /p 1.1 {Host=h,Content-Length=3} keep length=3 <ab> !truncated"});
    expect_request({"chunk", chunked("3\r\nab"), chunked_head + " <ab> !truncated"});
    expect_request({"last chunk", chunked("1\r\na\r\n0\r\n"), chunked_head + " <a> !truncated"});
}

TEST(http1_refusal, what_is_a_host) {
    for (const std::string_view good : {"", "h", "h:", "h:1", "H-1.example:65536", "127.0.0.1:80", "[::1]",
                                        "[::1]:4000", "[v1.a:b]:1", "a_b", "%61", "!$&'()*+,;=~", ":1"})
        EXPECT_TRUE(is_host(good)) << good;
    for (const std::string_view bad :
         {"a b",    "a/b",    "a@b",     "a?b",   "a#b",  "h:1x", "h:-1", "h:1:2", "::1",      "[::1", "[]",    "[]:1",
          "[::1]x", "[::1]1", "[::1]:x", "[%61]", "a[b]", "a]",   "a, b", "h\x7f", "\xc3\xa4", "a\\b", "\"a\"", "<a>"})
        EXPECT_FALSE(is_host(bad)) << bad;
}

TEST(http1_refusal, host) {
    expect_request({"no host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "!host"});
    expect_request({"no host in 1.0", "GET / HTTP/1.0\r\nHost: a/b\r\n\r\n", "!host"});
    expect_request({"missing", "GET / HTTP/1.1\r\nA: b\r\n\r\n", "!host"});
    expect_request({"twice", "GET / HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n", "!host"});
    expect_request({"twice in 1.0", "GET / HTTP/1.0\r\nHost: h\r\nHost: i\r\n\r\n", "!host"});
}

TEST(http1_refusal, versions_and_protocols) {
    expect_request({"0.9", "GET /\r\n", "!version"});
    expect_request({"0.9 with bare LF", "GET /\n", "!*"});
    expect_request({"2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "!version"});
    expect_request({"1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "!version"});
    expect_request({"0.1", "GET / HTTP/0.1\r\nHost: h\r\n\r\n", "!version"});
    expect_request({"lower case", "GET / http/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"rtsp", "GET / RTSP/1.0\r\nHost: h\r\n\r\n", "!*"});
    expect_request({"ice", "SOURCE / ICE/1.0\r\nHost: h\r\n\r\n", "!*"});
    expect_request({"tls", "\x16\x03\x01\x02\x00\x01"s, "!malformed"});
    expect_request({"h2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "!upgrade"});
    expect_request({"connect", "CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n", "!upgrade"});
}

TEST(http1_refusal, start_lines) {
    expect_request({"two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"space in target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n", "!*"});
    expect_request({"trailing space", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", "!*"});
    expect_request({"tab", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", "!*"});
    expect_request({"tab in target", "GET /\t HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"bytes above ascii", "GET /\xC3\xA9 HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"unknown method", "FOO / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"lower-case method", "get / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"leading space", " GET / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"leading bare LF", "\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"leading bare CR", "\rGET / HTTP/1.1\r\nHost: h\r\n\r\n", "!malformed"});
}

TEST(http1_refusal, line_ends_and_folding) {
    expect_request({"fold", post("A: b\r\n c\r\n"), "!malformed"});
    expect_request({"fold with tab", post("A: b\r\n\tc\r\n"), "!malformed"});
    expect_request({"fold of an empty value", post("A:\r\n b\r\n"), "!malformed"});
    expect_request({"fold of the first header", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", "!malformed"});
    expect_request({"fold that hides framing", post("A: b\r\n Content-Length: 3\r\n", "abc"), "!malformed"});
    expect_request({"bare LF after the start line", "GET / HTTP/1.1\nHost: h\r\n\r\n", "!malformed"});
    expect_request({"bare LF after a header", post("A: b\nC: d\r\n"), "!malformed"});
    expect_request({"bare LF at the end", "GET / HTTP/1.1\r\nHost: h\r\n\n", "!malformed"});
    expect_request({"bare CR in a value", post("A: b\rC: d\r\n"), "!malformed"});
    expect_request({"CR CR LF", post("A: b\r\r\n"), "!malformed"});
    expect_request({"fold in trailers", chunked("0\r\nA: b\r\n c\r\n\r\n"), chunked_head + " !malformed"});
}

TEST(http1_refusal, header_characters) {
    expect_request({"space before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", "!malformed"});
    expect_request({"space in a name", post("A b: c\r\n"), "!malformed"});
    expect_request({"no name", post(": b\r\n"), "!malformed"});
    expect_request({"no colon", post("A\r\n"), "!malformed"});
    expect_request({"nul", post("A: b\0c\r\n"s), "!malformed"});
    expect_request({"nul in a name", post("A\0: c\r\n"s), "!malformed"});
    expect_request({"control character", post("A: b\x01\r\n"), "!malformed"});
    expect_request({"delete", post("A: b\x7f\r\n"), "!malformed"});
}

TEST(http1_refusal, lengths) {
    expect_request(
        {"with coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), "!framing"});
    expect_request(
        {"after coding", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), "!framing"});
    expect_request({"twice", post("Content-Length: 1\r\nContent-Length: 2\r\n", "ab"), "!framing"});
    expect_request({"twice the same", post("Content-Length: 1\r\nContent-Length: 1\r\n", "a"), "!framing"});
    expect_request({"list", post("Content-Length: 1, 1\r\n", "a"), "!framing"});
    expect_request({"sign", post("Content-Length: +1\r\n", "a"), "!framing"});
    expect_request({"negative", post("Content-Length: -1\r\n", "a"), "!framing"});
    expect_request({"hex", post("Content-Length: 0x1\r\n", "a"), "!framing"});
    expect_request({"two numbers", post("Content-Length: 1 1\r\n", "a"), "!framing"});
    expect_request({"empty", post("Content-Length:\r\n", "a"), "!framing"});
    expect_request({"too large", post("Content-Length: 18446744073709551616\r\n", "a"), "!framing"});
}

TEST(http1_refusal, codings) {
    expect_request({"unknown", post("Transfer-Encoding: gzip\r\n", "a"), "!framing"});
    expect_request({"gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), "!framing"});
    expect_request({"chunked, gzip", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n"), "!framing"});
    expect_request({"identity", post("Transfer-Encoding: identity\r\n", "a"), "!framing"});
    expect_request({"empty", post("Transfer-Encoding:\r\n", "a"), "!framing"});
    expect_request(
        {"twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), "!framing"});
    expect_request({"hidden", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), "!framing"});
    expect_request({"vertical tab",
                    post("Transfer-Encoding: \x0b"
                         "chunked\r\n",
                         "0\r\n\r\n"),
                    "!*"});
    expect_request({"space before the colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), "!malformed"});
    expect_request({"1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "!framing"});
}

TEST(http1_refusal, chunks) {
    expect_request({"prefix", chunked("0x1\r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"sign", chunked("+1\r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"no size", chunked("\r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"leading space", chunked(" 1\r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"trailing space", chunked("1 \r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"size overflows", chunked("10000000000000001\r\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"bare LF after the size", chunked("1\na\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"bare LF in an extension", chunked("1;a\nb\r\nx\r\n0\r\n\r\n"), chunked_head + " !*"});
    for (const std::string& extension :
         std::vector<std::string>{";", "; ", ";=b", ";a=", ";a=b c", ";a b", ";a=\"b", ";a=\"\\", ";a=\"b\"c", ";a,b",
                                  ";a=b ", " ", " a", ";a;", ";a=b;;c", ";a\x01", ";a=\xff", ";a=\"\x7f\""}) {
        expect_request({"extension", chunked("1" + extension + "\r\nx\r\n0\r\n\r\n"), chunked_head + " !framing"});
        expect_request({"last", chunked("1\r\nx\r\n0" + extension + "\r\n\r\n"), chunked_head + " <x> !framing"});
    }
    expect_request({"CR in a quoted value", chunked("1;a=\"\rb\"\r\nx\r\n0\r\n\r\n"), chunked_head + " !*"});
    expect_request({"bare LF after the data", chunked("1\r\na\n0\r\n\r\n"), chunked_head + " <a> !*"});
    expect_request({"longer than its size", chunked("1\r\nab\r\n0\r\n\r\n"), chunked_head + " <a> !*"});
    expect_request({"shorter than its size", chunked("3\r\na\r\n0\r\n\r\n"), chunked_head + " <a\r\n> !*"});
}

} // namespace
} // namespace turnout::codec::http1
