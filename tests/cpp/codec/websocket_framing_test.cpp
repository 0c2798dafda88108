#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "codec/websocket/framing.hpp"
#include "websocket_frames.hpp"

namespace turnout::codec::websocket {
namespace {

using testing::ElementsAre;

TEST(websocket_framing, reads_messages_split_anywhere) {
    RecordProperty("rules", "WS-FRAME-001");
    const std::string bytes = frame(text, "one") + frame(text_begin, "t") + frame(ping, "p") + frame(more, "w")
                              + frame(last, "o") + frame(text, std::string(200, 'x')) + frame(text, "");
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        server s;
        s.feed(std::string_view(bytes).substr(0, cut));
        s.feed(std::string_view(bytes).substr(cut));
        EXPECT_THAT(s.messages(), ElementsAre("one", "two", std::string(200, 'x'), "")) << cut;
        EXPECT_EQ(s.frames.output(), server_frame(pong, "p")) << cut;
        EXPECT_FALSE(s.frames.closing());
    }
}

TEST(websocket_framing, says_whether_something_has_begun) {
    RecordProperty("rules", "WS-UP-015");
    for (const auto& whole :
         {frame(text, "one"), frame(text_begin, "") + frame(last, "two"),
          frame(text_begin, "t") + frame(ping, "p") + frame(last, ""), frame(ping, "p"), frame(pong, "")}) {
        server s;
        for (const char& c : whole) {
            EXPECT_EQ(s.frames.between_messages(), &c == whole.data());
            s.feed({&c, 1});
        }
        EXPECT_TRUE(s.frames.between_messages());
    }
}

TEST(websocket_framing, unmasks_with_the_key_of_the_frame) {
    RecordProperty("rules", "WS-FRAME-001");
    base::splitmix masks(1);
    framing client(framing::side::client, most, &masks);
    client.write_text("h\xC3\xA9llo");
    EXPECT_EQ(client.output().find("llo"), std::string::npos);
    server s;
    s.feed(client.output());
    EXPECT_THAT(s.messages(), ElementsAre("h\xC3\xA9llo"));
}

TEST(websocket_framing, writes_a_text_in_parts_and_the_rest_after_it) {
    RecordProperty("rules", "WS-UP-016");
    base::splitmix masks(1);
    framing client(framing::side::client, most, &masks);
    client.write_part("on", 5);
    client.feed(server_frame(ping, "p") + server_frame(ping, ""));
    client.ping();
    EXPECT_EQ(client.output().size(), 6U + 2U) << "the header and what was masked";
    EXPECT_EQ(client.waiting(), 3U * 64 + 1);
    client.write_part("", 5);
    client.write_part("e t", 5);
    EXPECT_EQ(client.output().size(), 6U + 5U + 7U + 6U + 6U);
    EXPECT_EQ(client.waiting(), 0U);
    client.write_text("wo");
    server s;
    s.feed(client.output());
    EXPECT_THAT(s.messages(), ElementsAre("one t", "wo"));

    client.write_part("thr", 5);
    client.close(close_code::normal);
    EXPECT_TRUE(client.closing());
    client.output().clear();
    client.write_part("ee", 5);
    EXPECT_EQ(client.output(), "") << "what is closed within a message says nothing any more";
}

TEST(websocket_framing, writes_texts_unmasked_and_whole_at_a_side) {
    RecordProperty("rules", "WS-FRAME-001");
    server s;
    for (const std::size_t size : {0U, 125U, 126U, 65535U, 65536U}) {
        base::splitmix masks(1);
        framing client(framing::side::client, 100'000, &masks);
        s.frames.output().clear();
        s.frames.write_text(std::string(size, 'a'));
        client.feed(s.frames.output());
        const auto m = client.take();
        ASSERT_TRUE(m.has_value()) << size;
        EXPECT_EQ(m->text, std::string(size, 'a'));
    }
}

TEST(websocket_framing, takes_a_character_that_fragments_split) {
    RecordProperty("rules", "WS-FRAME-003");
    server s;
    s.feed(frame(text_begin, "\xC3") + frame(last, "\xA9"));
    EXPECT_THAT(s.messages(), ElementsAre("\xC3\xA9"));
}

TEST(websocket_framing, takes_messages_up_to_the_limit_and_no_byte_more) {
    RecordProperty("rules", "WS-FRAME-004");
    server fits;
    fits.feed(frame(text_begin, std::string(400, 'a')) + frame(last, std::string(600, 'b'))
              + frame(text, std::string(1000, 'c')));
    EXPECT_EQ(fits.messages().size(), 2U);
    EXPECT_FALSE(fits.frames.too_large());

    server whole;
    whole.feed(frame(text, std::string(1001, 'a')));
    EXPECT_TRUE(whole.frames.too_large());
    EXPECT_FALSE(whole.frames.closing());

    server parts;
    parts.feed(frame(text_begin, std::string(400, 'a')) + frame(last, std::string(601, 'b')) + frame(text, "more"));
    EXPECT_TRUE(parts.frames.too_large());
    EXPECT_THAT(parts.messages(), ElementsAre());

    server garbled; // too large counts, however much of it has come
    garbled.feed(frame(text, std::string(1001, '\xFF')));
    EXPECT_TRUE(garbled.frames.too_large());
    EXPECT_FALSE(garbled.frames.closing());

    server promised; // refused by what it announces
    promised.feed(std::string("\x81\xFF\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\0\0a", 15));
    EXPECT_TRUE(promised.frames.too_large());
}

TEST(websocket_framing, lets_go_of_a_message_without_room) {
    RecordProperty("rules", "WS-FRAME-005");
    server s;
    s.feed(frame(text_begin, "abc"));
    EXPECT_EQ(s.frames.incoming(), 3U);
    s.frames.drop_message();
    EXPECT_EQ(s.frames.incoming(), 0U);
    s.feed(frame(last, "def") + frame(text, "next"));
    EXPECT_THAT(s.messages(), ElementsAre("(dropped)", "next"));
}

TEST(websocket_framing, answers_the_close_frame) {
    RecordProperty("rules", "WS-CLOSE-001");
    server s;
    s.feed(frame(bye, farewell_of(3000, "account_deactivated")) + frame(text, "late"));
    ASSERT_TRUE(s.frames.left().has_value());
    EXPECT_EQ(s.frames.left()->code, 3000);
    EXPECT_EQ(s.frames.left()->reason, "account_deactivated");
    EXPECT_EQ(s.frames.output(), server_frame(bye, farewell_of(3000, "account_deactivated")));
    s.frames.write_text("nothing follows");
    s.frames.ping();
    s.frames.close(close_code::normal);
    EXPECT_EQ(s.frames.output().size(), 2U + 2U + 19U);
    EXPECT_THAT(s.messages(), ElementsAre());

    server silent;
    silent.feed(frame(bye, ""));
    ASSERT_TRUE(silent.frames.left().has_value());
    EXPECT_EQ(silent.frames.left()->code, close_code::none);
}

TEST(websocket_framing, reads_a_close_frame_split_anywhere) {
    RecordProperty("rules", "WS-CLOSE-001");
    const std::string legal = frame(bye, farewell_of(3000, "\xC3\xA9\xE2\x82\xAC"));
    const std::string illegal = frame(bye, farewell_of(3000, "\xC3\xC3"));
    for (std::size_t cut = 0; cut <= legal.size(); ++cut) {
        server s;
        s.feed(frame(text, "one") + legal.substr(0, cut));
        s.feed(legal.substr(cut) + frame(text, "late"));
        EXPECT_THAT(s.messages(), ElementsAre("one"));
        ASSERT_TRUE(s.frames.left().has_value()) << cut;
        EXPECT_EQ(s.frames.left()->reason, "\xC3\xA9\xE2\x82\xAC") << cut;
        EXPECT_EQ(s.frames.sent_code(), 3000) << cut;
    }
    for (std::size_t cut = 0; cut <= illegal.size(); ++cut) {
        server s;
        s.feed(illegal.substr(0, cut));
        s.feed(illegal.substr(cut));
        EXPECT_FALSE(s.frames.left().has_value()) << cut;
        EXPECT_EQ(s.frames.sent_code(), close_code::not_utf8) << cut;
    }
}

TEST(websocket_framing, passes_over_what_comes_after_its_close_frame) {
    RecordProperty("rules", "WS-CLOSE-001");
    server s;
    s.feed(frame(text_begin, "o"));
    s.frames.close(close_code::going_away);
    EXPECT_EQ(s.frames.incoming(), 0U);
    s.feed(frame(last, "ne") + frame(text, std::string(1001, 'a')) + frame(binary, "two") + frame(ping, ""));
    EXPECT_THAT(s.messages(), ElementsAre());
    EXPECT_FALSE(s.frames.too_large());
    s.feed(frame(bye, farewell_of(1001)));
    EXPECT_TRUE(s.frames.left().has_value());
}

TEST(websocket_framing, closes_once_and_hears_the_answer) {
    RecordProperty("rules", "WS-CLOSE-001");
    server s;
    s.frames.close(close_code::going_away, "bye");
    s.frames.close(close_code::normal, "again");
    EXPECT_EQ(s.frames.output(), server_frame(bye, farewell_of(1001, "bye")));
    EXPECT_EQ(s.frames.sent_code(), close_code::going_away);
    EXPECT_FALSE(s.frames.left().has_value());
    s.feed(frame(text, "on its way") + frame(bye, farewell_of(1001)));
    ASSERT_TRUE(s.frames.left().has_value());
    EXPECT_EQ(s.frames.left()->code, 1001);
}

TEST(websocket_framing, cuts_a_reason_between_characters) {
    RecordProperty("rules", "WS-CLOSE-001");
    server s;
    s.frames.close(close_code::normal, std::string(122, 'a') + "\xC3\xA9");
    EXPECT_EQ(s.frames.output(), server_frame(bye, farewell_of(1000, std::string(122, 'a'))));
    server whole;
    whole.frames.close(close_code::normal, std::string(121, 'a') + "\xC3\xA9");
    EXPECT_EQ(whole.frames.output().size(), 2U + 2U + 123U);
}

TEST(websocket_framing, pings_without_payload) {
    RecordProperty("rules", "WS-PING-001");
    server s;
    s.frames.ping();
    EXPECT_EQ(s.frames.output(), server_frame(ping, ""));
    s.feed(frame(pong, ""));
    EXPECT_THAT(s.messages(), ElementsAre());
    EXPECT_FALSE(s.frames.closing());
}

} // namespace
} // namespace turnout::codec::websocket
