#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "codec/http1.hpp"

namespace turnout::codec::http1 {
namespace {

TEST(http1_parser, body_is_a_view_into_the_input) {
    parser p{message_kind::request};
    const std::string bytes = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET";
    std::string_view input = bytes;
    ASSERT_EQ(p.next(input).type, event_type::head);
    EXPECT_EQ(input, "abcGET");
    const event body = p.next(input);
    ASSERT_EQ(body.type, event_type::body);
    EXPECT_EQ(body.body.data(), bytes.data() + bytes.find("abc"));
    EXPECT_EQ(body.body.size(), 3U);
    ASSERT_EQ(p.next(input).type, event_type::complete);
    EXPECT_EQ(input, "GET") << "bytes after the message stay";
}

TEST(http1_parser, completes_without_further_input) {
    parser p{message_kind::request};
    std::string_view input = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    EXPECT_TRUE(input.empty());
    EXPECT_FALSE(p.idle());
    std::string_view nothing;
    EXPECT_EQ(p.next(nothing).type, event_type::complete);
    EXPECT_EQ(p.next(nothing).type, event_type::need_more);
}

TEST(http1_parser, finish_completes_a_message_that_needs_no_more) {
    parser p{message_kind::response};
    std::string_view input = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    EXPECT_EQ(p.finish().type, event_type::complete);
    EXPECT_EQ(p.finish().type, event_type::need_more);
}

TEST(http1_parser, head_stays_until_the_next_message_begins) {
    parser p{message_kind::request};
    std::string_view input = "GET /first HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    const std::string_view target = p.current().target();
    ASSERT_EQ(p.next(input).type, event_type::complete);
    ASSERT_EQ(p.next(input).type, event_type::need_more);
    EXPECT_EQ(target, "/first");
    EXPECT_EQ(p.current().find("x-a"), "1");
    EXPECT_EQ(p.current().find("x-b"), std::nullopt);
    EXPECT_TRUE(p.keep_alive());

    input = "GET /2";
    EXPECT_EQ(p.next(input).type, event_type::need_more);
    EXPECT_TRUE(p.current().headers().empty());
    EXPECT_FALSE(p.keep_alive());
}

TEST(http1_parser, find_returns_the_first) {
    parser p{message_kind::response};
    std::string_view input = "HTTP/1.1 204 No Content\r\nx-a: 1\r\nX-A: 2\r\n\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    EXPECT_EQ(p.current().find("X-a"), "1");
}

TEST(http1_parser, is_idle_between_messages_only) {
    parser p{message_kind::request};
    EXPECT_TRUE(p.idle());
    std::string_view input = "\r\n";
    p.next(input);
    EXPECT_TRUE(p.idle()) << "blank lines do not begin a request";
    input = "G";
    p.next(input);
    EXPECT_FALSE(p.idle());
    input = "ET / HTTP/1.1\r\nHost: h\r\n\r\n";
    p.next(input);
    EXPECT_FALSE(p.idle());
    p.next(input);
    EXPECT_TRUE(p.idle());
}

TEST(http1_parser, an_error_is_final) {
    parser p{message_kind::request};
    EXPECT_EQ(p.problem(), problem_kind::none);
    EXPECT_EQ(p.problem_text(), "");
    std::string_view input = "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\naGET / SECRET\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    ASSERT_EQ(p.next(input).type, event_type::body);
    ASSERT_EQ(p.next(input).type, event_type::complete);
    EXPECT_EQ(p.next(input).type, event_type::error);
    EXPECT_FALSE(p.keep_alive());
    EXPECT_EQ(p.problem(), problem_kind::malformed);
    EXPECT_FALSE(p.problem_text().empty());
    EXPECT_EQ(p.problem_text().find("SECRET"), std::string_view::npos);

    std::string_view good = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    EXPECT_EQ(p.next(good).type, event_type::error);
    EXPECT_EQ(p.finish().type, event_type::error);
    EXPECT_EQ(p.problem(), problem_kind::malformed);
}

TEST(http1_parser, may_be_moved_inside_a_message) {
    parser first{message_kind::request};
    std::string_view input = "GET / HTTP/1.1\r\nHo";
    ASSERT_EQ(first.next(input).type, event_type::need_more);
    parser second = std::move(first);
    input = "st: h\r\n\r\n";
    ASSERT_EQ(second.next(input).type, event_type::head);
    EXPECT_EQ(second.current().find("host"), "h");
}

TEST(http1_parser, large_body_passes_through) {
    parser p{message_kind::response};
    std::string_view input = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    ASSERT_EQ(p.next(input).type, event_type::head);
    const std::string piece(100000, 'x');
    std::size_t total = 0;
    for (int i = 0; i < 10; ++i) {
        input = piece;
        const event e = p.next(input);
        ASSERT_EQ(e.type, event_type::body);
        total += e.body.size();
        EXPECT_TRUE(input.empty());
    }
    EXPECT_EQ(total, 1000000U);
    EXPECT_EQ(p.next(input).type, event_type::complete);
}

/// What is known of a request of which these bytes came, given one at a time.
std::string unfinished(const std::string& bytes, limits l = {}) {
    parser p{message_kind::request, l};
    for (const char& c : bytes) {
        std::string_view input(&c, 1);
        while (!input.empty() && p.next(input).type != event_type::error) {}
    }
    std::string_view nothing;
    p.next(nothing);
    const head* const h = p.unfinished();
    if (h == nullptr) return "nothing";
    std::string said(h->target());
    for (const auto& [name, value] : h->headers()) said.append(" ").append(name).append("=").append(value);
    return said;
}

TEST(http1_parser, tells_what_came_of_a_head_that_ends_early) {
    RecordProperty("rules", "HTTP-ERROR-004");
    EXPECT_EQ(unfinished(""), "nothing");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r"), "nothing");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\n"), "/p");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nA: 1\r\nB: 2"), "/p A=1");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nA: 1\r\nB: 2\r\n\r\n"), "/p A=1 B=2") << "no host";
    EXPECT_EQ(unfinished("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
              "/p Host=h Content-Length=1 Transfer-Encoding=chunked");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nA: 1\r\nB: 2\r\nC: 3\r\n", {.head_bytes = 80, .headers = 2}),
              "/p A=1 B=2");
}

TEST(http1_parser, tells_nothing_of_the_message_before) {
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nHost: h\r\n\r\n"), "nothing") << "it is over";
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nHost: h\r\n\r\n\n"), "nothing");
    EXPECT_EQ(unfinished("GET /p HTTP/1.1\r\nHost: h\r\n\r\nGET /q"), "nothing");
}

} // namespace
} // namespace turnout::codec::http1
