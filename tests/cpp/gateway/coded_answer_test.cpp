#include <string>

#include "codec/coded.hpp"
#include "gateway/coded_body.hpp"
#include "gateway/running.hpp"

namespace turnout::gateway {
namespace {

using testing::HasSubstr;

constexpr std::string_view gzip = "Content-Encoding: gzip\r\n";

class coded_answer : public running {};

TEST_F(coded_answer, expands_in_turns_with_others) {
    RecordProperty("rules", "ENC-BOUND-004");
    auto other = client();
    other.send("GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n");
    await(other, "\"data\"");
    other.take();
    auto c = client();
    c.send(stream());
    await_request(up_a);
    std::string comments;
    while (comments.size() < std::size_t{32} << 20U) comments += ": nothing to see here\n\n";
    const auto bomb = codec::gzipped(comments);
    ASSERT_LT(bomb.size(), std::size_t{256} * 1024);
    up_a.answer(200, bomb, gzip);
    auto& context = gateway().on().context();
    for (int i = 0; i < 10; ++i) context.poll_one();
    other.send("GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n");
    await(other, "\"data\"");
    EXPECT_FALSE(up_b.has_request()); // the bomb is still being decoded
    await_request(up_b);
    up_b.answer(200, good_answer);
    await(c, "[DONE]");
    other.take();
    EXPECT_THAT(log, testing::ElementsAre(HasSubstr("attempts=2")));
    expect_nothing_left();
}

TEST_F(coded_answer, may_be_left_while_it_expands) {
    auto c = client();
    c.send(stream());
    await_request(up_a);
    up_a.answer(200, codec::gzipped(std::string(std::size_t{32} << 20U, '\n')), gzip);
    auto& context = gateway().on().context();
    for (int i = 0; i < 5; ++i) context.poll_one();
    c.reset();
    turns().until([&] { return !log.empty(); });
    turns().turn();
    EXPECT_THAT(log, testing::ElementsAre(HasSubstr("status=499")));
    expect_nothing_left();
}

TEST_F(coded_answer, may_expand_when_all_ends) {
    auto c = client();
    c.send(stream());
    await_request(up_a);
    up_a.answer(200, codec::gzipped(std::string(std::size_t{32} << 20U, '\n')), gzip);
    auto& context = gateway().on().context();
    for (int i = 0; i < 5; ++i) context.poll_one();
    destroy();
    EXPECT_THAT(log, testing::ElementsAre(HasSubstr("status=499")));
}

TEST(coded_body, ends_as_its_answer_does_unless_the_coding_says_otherwise) {
    RecordProperty("rules", "ENC-END-004");
    const auto text = codec::gzipped("hello");
    const answer_end broken{false, base::failure_origin::malformed_http};
    {
        coded_body body(codec::content_coding::gzip);
        body.add(text);
        EXPECT_EQ(body.next(), "hello");
        EXPECT_EQ(body.next(), "");
        EXPECT_FALSE(body.ended());
        body.end({});
        EXPECT_EQ(body.next(), "");
        EXPECT_TRUE(body.ended()->clean);
    }
    {
        coded_body body(codec::content_coding::gzip);
        body.add(text);
        body.end(broken);
        EXPECT_EQ(body.next(), "hello");
        EXPECT_EQ(body.next(), "");
        EXPECT_FALSE(body.ended()->clean);
        EXPECT_EQ(body.ended()->origin, broken.origin);
    }
    {
        coded_body body(codec::content_coding::gzip);
        body.add(text.substr(0, text.size() - 1));
        body.end({});
        EXPECT_EQ(body.next(), "hello");
        EXPECT_EQ(body.next(), "");
        EXPECT_FALSE(body.ended()->clean);
        EXPECT_EQ(body.ended()->origin, base::failure_origin::body_truncated);
    }
    {
        coded_body body(codec::content_coding::gzip);
        body.add(text + "beyond");
        EXPECT_EQ(body.next(), "hello");
        EXPECT_EQ(body.next(), "");
        EXPECT_FALSE(body.ended()->clean);
        EXPECT_EQ(body.ended()->origin, base::failure_origin::malformed_body);
    }
}

} // namespace
} // namespace turnout::gateway
