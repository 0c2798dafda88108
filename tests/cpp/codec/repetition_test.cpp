// A tracker that recognises repeated events says of every stream what one that reads each of them says.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codec/chat_stream.hpp"
#include "codec/contracts/repetition.hpp"
#include "codec/messages_stream.hpp"
#include "codec/responses_stream.hpp"

namespace turnout::codec {
namespace {

using texts = std::vector<std::string>;

/// As they stand in a JSON string: what a value may hold, and what is none.
const texts values = {"a",
                      "b c",
                      "caf\xC3\xA9",
                      R"(\n)",
                      R"(\"q\")",
                      R"(\u00e9)",
                      "",
                      "{",
                      R"(\x)",
                      R"(\u12)",
                      "\x01",
                      "\xC3",
                      "\xFF",
                      "a\xED\xA0\x80",
                      R"(\)",
                      R"(a","b":"c)",
                      R"("})",
                      R"(a"}}],"x":1)",
                      std::string(3000, 'l'),
                      "a"};

struct kind {
    const char* name;
    const contract& protocol;
    std::string (*event)(const std::string& value, int turn);
    texts begin;
    texts others; ///< between the events that are alike
};

std::string chat_event(const std::string& value, int) { return chat::text_frame(value); }
std::string obfuscated(const std::string& value, int turn) {
    return chat::chunk(chat::choice_of(R"({"content":")" + value + R"("})"),
                       R"(,"usage":null,"obfuscation":")" + std::string(static_cast<std::size_t>(turn) % 3, 'o') + '"');
}
std::string reasoning(const std::string& value, int) {
    return chat::chunk(chat::choice_of(R"({"role":"","reasoning":"r","reasoning_content":")" + value + R"("})"));
}
std::string messages_event(const std::string& value, int) { return messages::text_delta(value); }
std::string call_event(const std::string& value, int) {
    return messages::block_delta(R"({"type":"input_json_delta","partial_json":")" + value + R"("})");
}
std::string responses_event(const std::string& value, int turn) {
    return R"({"type":"response.output_text.delta","sequence_number":)" + std::to_string(turn)
           + R"(,"item_id":"m","output_index":0,"content_index":0,"model":"up","delta":")" + value
           + R"(","obfuscation":"x"})";
}
std::string unnumbered(const std::string& value, int) {
    return R"({"type":"response.output_text.delta","item_id":"m","output_index":0,"delta":")" + value + R"("})";
}

const std::vector<kind> kinds = {
    {"chat",
     chat::instance(),
     chat_event,
     {chat::role_frame},
     {"", chat::text_frame("other", 1), chat::chunk(chat::choice_of(R"({"content":"a"})"), "", "up2"),
      chat::usage_frame, chat::finish_frame(), R"({"error":{"message":"late"}})"}},
    {"chat without a role", chat::instance(), chat_event, {}, {R"({"type":"ping"})", chat::frame("{}")}},
    {"chat with obfuscation", chat::instance(), obfuscated, {chat::role_frame}, {"", chat::finish_frame()}},
    {"chat with reasoning", chat::instance(), reasoning, {chat::role_frame}, {chat::text_frame("t")}},
    {"messages",
     messages::instance(),
     messages_event,
     {messages::message_start, messages::text_start},
     {messages::ping_data, messages::block_stop(), messages::text_delta("a", 1), messages::message_delta(),
      R"({"type":"error","error":{"type":"overloaded_error","message":"late"}})"}},
    {"messages without a start", messages::instance(), messages_event, {}, {messages::ping_data}},
    {"messages with a call",
     messages::instance(),
     call_event,
     {messages::message_start, messages::tool_start},
     {messages::message_delta("tool_use"), messages::message_stop}},
    {"responses", responses::instance(), responses_event, {}, {"", R"({"type":"keepalive","sequence_number":90})"}},
    {"responses without numbers", responses::instance(), unnumbered, {}, {R"({"type":"response.failed"})"}},
};

struct said {
    std::string out;
    std::vector<frame_class> classes;
    std::vector<std::int64_t> numbers;
    std::vector<anomaly> anomalies;
    bool operator==(const said&) const = default;
};

said read(const kind& k, bool use_repetition, const std::string& odd, const std::string& other) {
    tracked_stream s(k.protocol,
                     {.public_model = "gpt", .fallback_id = "own", .ids = nullptr, .use_repetition = use_repetition});
    said all;
    int turn = -1;
    const auto send = [&](const std::string& data) {
        s.send(data);
        all.numbers.push_back(s->next_sequence());
    };
    s.send_all(k.begin);
    const texts plain = {"one", "two", "three"};
    for (const auto& v : plain) send(k.event(v, ++turn));
    send(k.event(odd, ++turn));
    for (const auto& v : plain) send(k.event(v, turn += 7));
    send(other);
    for (const auto& v : plain) send(k.event(v, ++turn));
    send(" " + k.event("blank", ++turn) + " ");
    send(k.event("lines", ++turn).insert(1, "\n"));
    for (const auto& v : plain) send(k.event(v, ++turn));
    all.out = s.out;
    all.classes = s.classes;
    all.anomalies = s->anomalies();
    return all;
}

TEST(repetition, changes_nothing_of_what_a_client_sees) {
    for (const kind& k : kinds) {
        for (const auto& odd : values) {
            for (const auto& other : k.others)
                EXPECT_EQ(read(k, true, odd, other), read(k, false, odd, other))
                    << k.name << '|' << odd << '|' << other;
        }
    }
}

class kept : public testing::Test {
protected:
    repetition r{true};
    std::vector<patch> none;

    void keep(const std::string& data, std::initializer_list<std::string_view> parts) {
        r.keep("n", "w", data, none, parts);
    }
    static std::string_view part(const std::string& data, std::string_view text) {
        return std::string_view(data).substr(data.find(text), text.size());
    }
    std::string written() const {
        std::string out;
        r.write(out);
        return out;
    }
};

TEST_F(kept, event_matches_with_other_values) {
    const std::string data = R"({"n":7,"t":"abc","m":"up"})";
    const std::vector<patch> renamed = {{part(data, R"("up")"), R"("gpt")"}};
    r.keep("n", "w", data, renamed, {part(data, "abc"), part(data, "7"), {}});
    ASSERT_TRUE(r.matches("n", R"({"n":123,"t":"\"","m":"up"})"));
    EXPECT_EQ(r.number(), "123");
    EXPECT_EQ(written(), "event: w\ndata: {\"n\":123,\"t\":\"\\\"\",\"m\":\"gpt\"}\n\n");
    EXPECT_FALSE(r.matches("", data)); // another name
    EXPECT_FALSE(r.matches("n", R"({"n":7,"t":"abc","m":"up"} )"));
    EXPECT_FALSE(r.matches("n", R"({"n":7,"t":"abc","m":"up2"})"));
    EXPECT_FALSE(r.matches("n", R"({"n":7,"t":"abc","m":"up")"));
    r.forget();
    EXPECT_FALSE(r.matches("n", data));
}

TEST_F(kept, numbers_are_those_that_every_reader_counts_alike) {
    const std::string data = R"({"n":7})";
    keep(data, {part(data, "7")});
    EXPECT_TRUE(r.matches("n", R"({"n":1})"));
    EXPECT_TRUE(r.matches("n", R"({"n":999999999999999})"));
    for (const auto* const other : {"1000000000000000", "0", "07", "-1", "1.0", "1e3", "", "\"1\""})
        EXPECT_FALSE(r.matches("n", R"({"n":)" + std::string(other) + "}")) << other;
}

TEST_F(kept, events_are_small_and_in_one_line) {
    std::string most = R"({"t":"a"})";
    most.insert(1, repetition::most_bytes - most.size(), ' ');
    keep(most, {part(most, "a")});
    EXPECT_TRUE(r.matches("n", most));
    const std::string more = " " + most;
    keep(more, {part(more, "a")});
    EXPECT_FALSE(r.matches("n", more));
    const std::string lines = "{\n\"t\":\"a\"}";
    keep(lines, {part(lines, "a")});
    EXPECT_FALSE(r.matches("n", lines));
}

TEST_F(kept, events_that_never_match_are_kept_rarely) {
    const std::string data = R"({"t":"a"})";
    const auto keep_it = [&] { keep(data, {part(data, "a")}); };
    for (int i = 0; i < 8; ++i) keep_it();
    EXPECT_TRUE(r.matches("n", data)); // which was the last moment
    for (int i = 0; i < 8; ++i) keep_it();
    for (int i = 0; i < 63; ++i) {
        keep_it();
        EXPECT_FALSE(r.matches("n", data)) << i;
    }
    keep_it();
    EXPECT_TRUE(r.matches("n", data));
}

TEST(repetition, can_be_left_out) {
    repetition r(false);
    const std::string data = R"({"t":"a"})";
    r.keep("n", "w", data, {}, {std::string_view(data).substr(6, 1)});
    EXPECT_FALSE(r.matches("n", data));
}

} // namespace
} // namespace turnout::codec
