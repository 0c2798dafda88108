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

} // namespace
} // namespace turnout::codec::websocket
