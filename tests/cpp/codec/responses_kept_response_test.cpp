#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codec/contracts/responses/event.hpp"
#include "responses_stream.hpp"

namespace turnout::codec::responses {
namespace {

const std::string nested =
    R"({"id":"r","text":)" + std::string(json::max_depth - 2, '[') + std::string(json::max_depth - 2, ']') + "}";

const std::vector<std::string> objects = {
    response("in_progress"),
    response("completed", "[" + message_item + "]", usage_object),
    R"({"id":"r\"1","model":"\u00e4","previous_response_id":"resp_0","status":"queued"})",
    "{\"id\":\"\xc3\xa4\",\"id\":\"b\",\"model\":\"up\",\"model\":\"other\",\"error\":{\"message\":\"m\"}}",
    R"({ "object" : "error" })",
    "{}",
    nested,
};

/// The place and the length of what was read.
std::string place(std::string_view data, std::string_view part) {
    return part.empty() ? "-" : std::to_string(part.data() - data.data()) + "+" + std::to_string(part.size());
}

std::string told(const std::string& data, const kept_response* known) {
    event_facts f;
    if (!read_event(data, f, known)) return "broken";
    std::string text = place(data, f.type.raw) + (f.empty ? " empty" : "");
    const response_facts& r = f.response;
    for (const auto part : {r.value, r.model.value, r.id.value, r.previous_id.value, r.status, r.error})
        text += " " + place(data, part);
    for (const bool flag :
         {r.model.again, r.id.again, r.previous_id.again, r.other_kind, r.has_output, r.output, r.empty})
        text += flag ? " 1" : " 0";
    return text + (r.usage ? " " + std::to_string(r.usage->total) : "");
}

TEST(kept_response, is_read_as_if_it_were_new) {
    for (const std::string& first : objects) {
        const std::string before = R"({"type":"response.created","response":)" + first + "}";
        event_facts facts;
        ASSERT_TRUE(read_event(before, facts)) << before;
        kept_response known;
        known.keep(facts.response);
        EXPECT_EQ(known.text(), first);
        for (const std::string& second : objects) {
            for (const std::string& after : {
                     R"({"type":"response.in_progress","sequence_number":1,"response":)" + second + "}",
                     R"({"response" : )" + second + R"( , "type":"response.in_progress"} )",
                     R"({"response":)" + second + R"(,"response":)" + second + "}",
                     R"({"response":)" + second + "x}",
                     R"({"response":)" + second,
                     R"({"response":)" + second.substr(0, second.size() - 1),
                     R"({"response":)" + second + ",\"type\":\"\xff\"}",
                     R"({"item":)" + second + "}",
                 }) {
                EXPECT_EQ(told(after, &known), told(after, nullptr)) << first << "\n" << after;
            }
        }
    }
}

TEST(kept_response, is_the_last_one) {
    kept_response known;
    for (const std::string& object : objects) {
        const std::string data = R"({"response":)" + object + "}";
        event_facts facts;
        ASSERT_TRUE(read_event(data, facts, &known));
        known.keep(facts.response);
        known.keep(facts.response);
        EXPECT_EQ(known.text(), object);
        EXPECT_EQ(known.read_at(known.text().data()).value.data(), known.text().data());
    }
    known.keep({});
    EXPECT_EQ(known.text(), "");
}

} // namespace
} // namespace turnout::codec::responses
