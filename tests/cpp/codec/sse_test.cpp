#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/sse.hpp"

namespace turnout::codec::sse {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// An event that owns its text.
struct seen {
    std::string name;
    std::string data;
    bool has_data = true;

    friend bool operator==(const seen&, const seen&) = default;
    friend std::ostream& operator<<(std::ostream& out, const seen& s) {
        return out << "{" << s.name << "|" << s.data << "|" << s.has_data << "}";
    }
};

seen own(const event& e) { return {std::string{e.name}, std::string{e.data}, e.has_data}; }

/// Feeds a copy that dies as soon as the decoder may no longer look at it.
void feed_copy(decoder& d, std::string_view bytes, std::vector<seen>& out) {
    const std::vector<char> copy(bytes.begin(), bytes.end());
    d.feed({copy.data(), copy.size()});
    while (const auto e = d.next()) {
        out.push_back(own(*e));
    }
}

std::vector<seen> decode(const std::vector<std::string_view>& pieces) {
    decoder d;
    std::vector<seen> out;
    for (const std::string_view piece : pieces) {
        feed_copy(d, piece, out);
    }
    EXPECT_EQ(d.error(), decoder_error::none);
    return out;
}

struct sample {
    const char* title;
    std::string bytes;
    std::vector<seen> events;
};

void PrintTo(const sample& s, std::ostream* out) { *out << s.title; }

class sse_sample : public testing::TestWithParam<sample> {};

TEST_P(sse_sample, decodes_whole) {
    const sample& s = GetParam();
    EXPECT_EQ(decode({s.bytes}), s.events);
}

TEST_P(sse_sample, decodes_split_at_every_byte) {
    const sample& s = GetParam();
    const std::string_view all = s.bytes;
    for (std::size_t at = 0; at <= all.size(); ++at) {
        EXPECT_EQ(decode({all.substr(0, at), all.substr(at)}), s.events) << "split at " << at;
    }
}

TEST_P(sse_sample, decodes_split_at_every_two_bytes) {
    const sample& s = GetParam();
    const std::string_view all = s.bytes;
    for (std::size_t first = 0; first <= all.size(); ++first) {
        for (std::size_t second = first; second <= all.size(); ++second) {
            EXPECT_EQ(decode({all.substr(0, first), all.substr(first, second - first), all.substr(second)}), s.events)
                << "split at " << first << " and " << second;
        }
    }
}

TEST_P(sse_sample, decodes_byte_by_byte) {
    const sample& s = GetParam();
    std::vector<std::string_view> pieces;
    for (std::size_t i = 0; i < s.bytes.size(); ++i) {
        pieces.push_back(std::string_view{s.bytes}.substr(i, 1));
    }
    EXPECT_EQ(decode(pieces), s.events);
}

INSTANTIATE_TEST_SUITE_P(
    samples, sse_sample,
    testing::Values(
        sample{"lf", "data: a\n\ndata: b\n\n", {{"", "a"}, {"", "b"}}},
        sample{"crlf", "data: a\r\n\r\ndata: b\r\n\r\n", {{"", "a"}, {"", "b"}}},
        sample{"cr", "data: a\r\rdata: b\r\r", {{"", "a"}, {"", "b"}}},
        sample{"mixed line ends",
               "data: a\r\n\ndata: b\n\r\ndata: c\r\r\n\n\rdata: d\n\r",
               {{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}}},
        sample{"no space after the colon", "event:e\ndata:a\n\n", {{"e", "a"}}},
        sample{"one space stripped, never more", "data:   a \n\n", {{"", "  a "}}},
        sample{"a tab is not a space", "data:\ta\n\n", {{"", "\ta"}}},
        sample{"several data lines", "data: {\ndata:  \"a\": 1\ndata: }\n\n", {{"", "{\n \"a\": 1\n}"}}},
        sample{"bare data line", "data: a\ndata\ndata: b\n\n", {{"", "a\n\nb"}}},
        sample{"only a bare data line", "data\n\n", {{"", ""}}},
        sample{"two empty data lines", "data\ndata:\n\n", {{"", "\n"}}}, sample{"empty data", "data:\n\n", {{"", ""}}},
        sample{"id and retry around data", "id: x\nretry: 100\ndata: a\nid: y\n\n", {{"", "a"}}},
        sample{"blocks of id or retry only", "id: 1\n\nretry: 3000\n\ndata: a\n\n", {{"", "a"}}},
        sample{"unknown and look-alike fields", "dat: a\ndatab: b\n data: c\nevents: d\nfoo\ndata: e\n\n", {{"", "e"}}},
        sample{"data before event", "data: a\nevent: e\n\ndata: b\n\n", {{"e", "a"}, {"", "b"}}},
        sample{"the last event line wins", "event: long name\nevent: e\ndata: a\n\n", {{"e", "a"}}},
        sample{"an empty event line resets", "event: e\nevent\ndata: a\n\n", {{"", "a"}}},
        sample{"event without data", "event: keepalive\n\ndata: a\n\n", {{"keepalive", "", false}, {"", "a"}}},
        sample{"empty event without data", "event:\n\ndata: a\n\n", {{"", "a"}}},
        sample{"comments", ": a\n\ndata: b\n: c\ndata: d\n\n:e\n", {{"", "b\nd"}}},
        sample{"bare colon", ":\ndata: a\n\n:\n\n:\n", {{"", "a"}}},
        sample{"keepalive sent as data", "data: : keepalive\n\ndata: a\n\n", {{"", ": keepalive"}, {"", "a"}}},
        sample{"blank lines", "\n\n\r\n\rdata: a\n\n\n\n\n", {{"", "a"}}},
        sample{"bom",
               "\xEF\xBB\xBF"
               "data: a\n\n",
               {{"", "a"}}},
        sample{"bom before a blank line", "\xEF\xBB\xBF\n\ndata: a\n\n", {{"", "a"}}},
        sample{"bom only at the start",
               "\n\xEF\xBB\xBF"
               "data: a\n\ndata: b\n\n",
               {{"", "b"}}},
        sample{"half a bom",
               "\xEF\xBB"
               "data: a\n\ndata: b\n\n",
               {{"", "b"}}},
        sample{"two boms",
               "\xEF\xBB\xBF\xEF\xBB\xBF"
               "data: a\n\ndata: b\n\n",
               {{"", "b"}}},
        sample{"utf-8",
               "event: \xC3\xA9\ndata: \xE4\xBD\xA0\xE5\xA5\xBD\xF0\x9F\xA6\x80\xC3\xA9\n\n",
               {{"\xC3\xA9", "\xE4\xBD\xA0\xE5\xA5\xBD\xF0\x9F\xA6\x80\xC3\xA9"}}},
        sample{"invalid utf-8 and nul pass", "data: \xFF\0\xC3\n\n"s, {{"", "\xFF\0\xC3"s}}},
        sample{"done", "data: {}\n\ndata: [DONE]\n\n", {{"", "{}"}, {"", "[DONE]"}}},
        sample{"unfinished event", "data: a\n\ndata: b\n", {{"", "a"}}},
        sample{"colons in the value", "data: a:b: c\n\n", {{"", "a:b: c"}}}, sample{"empty", "", {}}));

std::vector<seen> finish_after(std::string_view bytes) {
    decoder d;
    std::vector<seen> ignored;
    for (const char& c : bytes) {
        feed_copy(d, {&c, 1}, ignored);
    }
    std::vector<seen> out;
    while (const auto e = d.finish()) {
        out.push_back(own(*e));
    }
    return out;
}

TEST(sse_finish, returns_the_event_that_no_blank_line_ended) {
    EXPECT_THAT(finish_after("data: x\n\nevent: e\ndata: a\n"), ElementsAre(seen{"e", "a"}));
    EXPECT_THAT(finish_after("data: a\ndata: b"), ElementsAre(seen{"", "a\nb"}));
    EXPECT_THAT(finish_after("data: a\r"), ElementsAre(seen{"", "a"}));
    EXPECT_THAT(finish_after("\xEF\xBB\xBF"
                             "data: a"),
                ElementsAre(seen{"", "a"}));
    EXPECT_THAT(finish_after("event: ping"), ElementsAre(seen{"ping", "", false}));
}

TEST(sse_finish, returns_nothing_after_whole_events) {
    EXPECT_THAT(finish_after(""), IsEmpty());
    EXPECT_THAT(finish_after("data: a\n\n"), IsEmpty());
    EXPECT_THAT(finish_after("data: a\n\n: bye"), IsEmpty());
    EXPECT_THAT(finish_after("data: a\n\nid: 1\ndat"), IsEmpty());
    EXPECT_THAT(finish_after("\xEF\xBB\xBF"), IsEmpty());
}

TEST(sse_decoder, lone_cr_at_the_end_dispatches_at_once) {
    decoder d;
    std::vector<seen> out;
    feed_copy(d, "data: a\r\n\r", out);
    EXPECT_THAT(out, ElementsAre(seen{"", "a"}));
    EXPECT_TRUE(d.at_boundary());

    // The LF belongs to that line end: it neither ends a line nor starts one, even after an empty feed.
    feed_copy(d, "", out);
    feed_copy(d, "\n", out);
    EXPECT_TRUE(d.at_boundary());
    feed_copy(d, "data: b\n\n", out);
    EXPECT_THAT(out, ElementsAre(seen{"", "a"}, seen{"", "b"}));
}

TEST(sse_decoder, knows_event_boundaries) {
    decoder d;
    std::vector<seen> out;
    EXPECT_TRUE(d.at_boundary());
    feed_copy(d, "da", out);
    EXPECT_FALSE(d.at_boundary());
    feed_copy(d, "ta: a\n", out);
    EXPECT_FALSE(d.at_boundary());
    feed_copy(d, "\n", out);
    EXPECT_TRUE(d.at_boundary());
    feed_copy(d, ": comment\n", out);
    EXPECT_TRUE(d.at_boundary());
    feed_copy(d, "event: e\n", out);
    EXPECT_FALSE(d.at_boundary());

    const std::string two = "\ndata: b\n\n";
    d.feed(two);
    ASSERT_TRUE(d.next());
    EXPECT_FALSE(d.at_boundary());
    ASSERT_TRUE(d.next());
    EXPECT_FALSE(d.next());
    EXPECT_TRUE(d.at_boundary());
}

TEST(sse_decoder, returns_views_into_the_fed_bytes) {
    const std::string bytes = "event: e\ndata: abc\n\nevent: f\r\ndata: def\r\n\r\n";
    decoder d;
    d.feed(bytes);
    for (const std::size_t at : {bytes.find("abc"), bytes.find("def")}) {
        const auto e = d.next();
        ASSERT_TRUE(e);
        EXPECT_EQ(e->data.data(), bytes.data() + at);
        EXPECT_EQ(e->name.size(), 1U);
        EXPECT_TRUE(e->name.data() > bytes.data() && e->name.data() < bytes.data() + bytes.size());
    }
}

TEST(sse_decoder, keeps_its_state_when_moved) {
    decoder first;
    std::vector<seen> out;
    feed_copy(first, "event: e\ndata: a\nda", out);
    decoder second = std::move(first);
    feed_copy(second, "ta: b\n\n", out);
    EXPECT_THAT(out, ElementsAre(seen{"e", "a\nb"}));
}

/// Decodes in pieces of `piece` bytes with a small bound.
std::pair<std::vector<seen>, decoder_error> decode_bounded(std::string_view bytes, std::size_t piece) {
    decoder d{16};
    std::vector<seen> out;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        feed_copy(d, bytes.substr(at, piece), out);
    }
    EXPECT_FALSE(d.error() != decoder_error::none && d.finish());
    return {out, d.error()};
}

TEST(sse_bound, holds_for_every_split) {
    const std::string ten = "data: 1234567890\n\n"; // a line of 16 bytes
    for (std::size_t piece = 1; piece <= 40; ++piece) {
        using result = std::pair<std::vector<seen>, decoder_error>;
        EXPECT_EQ(decode_bounded(ten + ten, piece), (result{{{"", "1234567890"}, {"", "1234567890"}}, {}})) << piece;

        const auto too_large = decoder_error::event_too_large;
        EXPECT_EQ(decode_bounded(ten + "data: 12345678901\n\n" + ten, piece),
                  (result{{{"", "1234567890"}}, too_large}));
        EXPECT_EQ(decode_bounded("data: 12345678901", piece), (result{{}, too_large})) << "no line end";
        EXPECT_EQ(decode_bounded("data: 123456\ndata: 12345\n\n", piece), (result{{}, too_large})) << "joined";
        EXPECT_EQ(decode_bounded("event: 123456\ndata: 12345\n\n", piece), (result{{}, too_large})) << "with name";
        EXPECT_EQ(decode_bounded("\xEF\xBB\xBF"
                                 "data: 12345678\n\n",
                                 piece),
                  (result{{}, too_large}))
            << "with a BOM";
        EXPECT_EQ(decode_bounded(": a comment that is long", piece), (result{{}, too_large})) << "a comment";
        EXPECT_EQ(decode_bounded(": short\n: short\n: short\n", piece), (result{{}, {}})) << "comments do not add up";
    }
}

TEST(sse_bound, is_16_mib_by_default) {
    const std::size_t limit = std::size_t{16} * 1024 * 1024;
    const std::string largest(limit - 6, 'x');
    std::vector<seen> out;
    decoder d;
    feed_copy(d, "data: ", out);
    feed_copy(d, largest, out);
    feed_copy(d, "\n\n", out);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_EQ(out.front().data.size(), largest.size());

    feed_copy(d, "data: ", out);
    feed_copy(d, largest, out);
    EXPECT_EQ(d.error(), decoder_error::none);
    feed_copy(d, "x", out);
    EXPECT_EQ(d.error(), decoder_error::event_too_large);
}

} // namespace
} // namespace turnout::codec::sse
