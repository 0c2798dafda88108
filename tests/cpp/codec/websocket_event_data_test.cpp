#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/websocket/event_data.hpp"

namespace turnout::codec::websocket {
namespace {

using testing::ElementsAre;

std::vector<std::string> all_of(std::string_view events) {
    std::vector<std::string> data;
    std::string joined;
    while (!events.empty()) data.emplace_back(take_event_data(events, joined));
    return data;
}

TEST(websocket_event_data, is_the_data_of_each_event) {
    RecordProperty("rules", "WS-TURN-003");
    EXPECT_THAT(all_of("event: a\ndata: {\"type\":\"a\"}\n\nevent: b\ndata: {}\n\n"),
                ElementsAre("{\"type\":\"a\"}", "{}"));
    EXPECT_THAT(all_of("data: {\ndata: \"a\":1\ndata: }\n\ndata: [\ndata: ]\n\n"),
                ElementsAre("{\n\"a\":1\n}", "[\n]"));
    EXPECT_THAT(all_of(": keepalive\n\n"), ElementsAre(""));
    EXPECT_THAT(all_of(""), ElementsAre());
}

TEST(websocket_event_data, writes_a_message_as_an_event) {
    RecordProperty("rules", "WS-UP-001");
    for (const std::string_view message : {"{}", "", "{\n}", "\n", "a\nb\nc"}) {
        std::string events = "data: before\n\n";
        append_event(events, message);
        append_event(events, "after");
        std::string_view rest = events;
        std::string joined;
        EXPECT_EQ(take_event_data(rest, joined), "before");
        EXPECT_EQ(take_event_data(rest, joined), message);
        EXPECT_EQ(take_event_data(rest, joined), "after");
        EXPECT_TRUE(rest.empty());
    }
    std::string events;
    append_event(events, "{\r\n}\r");
    EXPECT_EQ(events, "data: {\ndata: \ndata: }\ndata: \n\n");
}

} // namespace
} // namespace turnout::codec::websocket
