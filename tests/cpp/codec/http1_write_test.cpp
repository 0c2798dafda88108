#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "codec/http1.hpp"

namespace turnout::codec::http1 {
namespace {

using namespace std::string_literals;

std::string status_line(int status) {
    std::string out;
    write_status_line(out, status);
    return out;
}

TEST(http1_write, status_lines) {
    EXPECT_EQ(status_line(200), "HTTP/1.1 200 OK\r\n");
    EXPECT_EQ(status_line(429), "HTTP/1.1 429 Too Many Requests\r\n");
    EXPECT_EQ(status_line(299), "HTTP/1.1 299 Success\r\n");
    EXPECT_EQ(status_line(399), "HTTP/1.1 399 Redirection\r\n");
    EXPECT_EQ(status_line(499), "HTTP/1.1 499 Client Error\r\n");
    EXPECT_EQ(status_line(599), "HTTP/1.1 599 Server Error\r\n");
}

TEST(http1_write, appends_a_whole_message) {
    std::string out;
    write_request_line(out, "POST", "/v1/chat/completions");
    write_header(out, "Host", "127.0.0.1:80");
    write_header(out, "Content-Length", 0);
    write_header(out, "X-Max", std::numeric_limits<std::uint64_t>::max());
    out += "\r\n";
    EXPECT_EQ(out, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\n"
                   "X-Max: 18446744073709551615\r\n\r\n");
}

TEST(http1_write, chunks) {
    std::string out;
    write_chunk_size(out, 1);
    write_chunk_size(out, 255);
    write_chunk_size(out, 65536);
    out += last_chunk;
    EXPECT_EQ(out, "1\r\nff\r\n10000\r\n0\r\n\r\n");
}

TEST(http1_write, what_it_writes_can_be_parsed) {
    std::string out;
    write_status_line(out, 503);
    write_header(out, "Transfer-Encoding", "chunked");
    out += "\r\n";
    write_chunk_size(out, 26);
    out += "abcdefghijklmnopqrstuvwxyz\r\n";
    out += last_chunk;
    parser p{message_kind::response};
    std::string_view input = out;
    ASSERT_EQ(p.next(input).type, event_type::head);
    EXPECT_EQ(p.current().status(), 503);
    EXPECT_EQ(p.next(input).body, "abcdefghijklmnopqrstuvwxyz");
    EXPECT_EQ(p.next(input).type, event_type::complete);
    EXPECT_TRUE(input.empty());
}

TEST(http1_write, field_values) {
    EXPECT_TRUE(valid_field_value(""));
    EXPECT_TRUE(valid_field_value("a \t~\x80\xFF"));
    for (const std::string& bad : {"\r"s, "\n"s, "\0"s, "a\x1F"s, "\x7F"s}) {
        EXPECT_FALSE(valid_field_value(bad));
    }
}

} // namespace
} // namespace turnout::codec::http1
