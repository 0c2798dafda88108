#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "codec/contracts/sealed_ids.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"
#include "responses_stream.hpp"

// Which ids of an answer its client sees in the form that it comes back with.
namespace turnout::codec::responses {
namespace {

class shouting final : public id_sealer {
public:
    std::string seal(std::string_view id) const override {
        ++seals;
        return "sealed-" + std::string(id);
    }
    mutable int seals = 0;
};

class responses_ids : public testing::Test {
protected:
    tracked_stream tracking() {
        return tracked_stream(instance(),
                              {.public_model = "gpt", .fallback_id = "own", .fallback_created = 99, .ids = &sealer});
    }
    std::string answered(std::string_view body) {
        auto verdict = instance().check_answer(body, R"("gpt")");
        auto* const accepted = std::get_if<accepted_answer>(&verdict);
        if (accepted == nullptr) return "refused";
        sealed_ids ids(&sealer);
        add_id_edits(body, *accepted, ids);
        std::string out;
        apply(body, accepted->edits, out, accepted->begin, accepted->end);
        return out;
    }

    shouting sealer;
};

TEST_F(responses_ids, of_an_answer_are_sealed_and_those_of_its_items_are_not) {
    EXPECT_EQ(answered(R"({"id":"resp_1","output":[{"id":"msg_1","type":"x"}],"previous_response_id":"r\u0030",)"
                       R"("status":"completed","model":"up","metadata":{"id":"resp_1"}})"),
              R"({"id":"sealed-resp_1","output":[{"id":"msg_1","type":"x"}],"previous_response_id":"sealed-r0",)"
              R"("status":"completed","model":"gpt","metadata":{"id":"resp_1"}})");
}

TEST_F(responses_ids, that_are_none_stay) {
    for (const std::string body :
         {R"({"id":"","previous_response_id":null,"output":[]})", R"({"id":7,"output":[]})", R"({"output":[]})"})
        EXPECT_EQ(answered(body), body);
    EXPECT_EQ(sealer.seals, 0);
}

TEST_F(responses_ids, stay_where_nothing_seals_them) {
    sealed_ids ids(nullptr);
    EXPECT_EQ(ids(R"("resp_1")"), R"("resp_1")");
}

TEST_F(responses_ids, and_models_that_stand_twice_are_replaced_twice) {
    EXPECT_EQ(answered(R"({"model":"up","id":"a","output":[],"model":"up2","id":"b","model":7})"),
              R"({"model":"gpt","id":"sealed-a","output":[],"model":"gpt","id":"sealed-b","model":7})");
    auto s = tracking();
    s.send_all({life("created", 0, R"({"id":"a","model":"up","id":"b","output":[],"model":"up"})")});
    EXPECT_EQ(s.out,
              "event: response.created\ndata: "
                  + life("created", 0, R"({"id":"sealed-a","model":"gpt","id":"sealed-b","output":[],"model":"gpt"})")
                  + "\n\n");
}

TEST_F(responses_ids, of_a_stream_are_the_same_in_every_event_and_sealed_once) {
    auto s = tracking();
    s.send_all(
        {created, in_progress, event("response.made_up", R"("response_id":"resp_1","delta":"x")", 2), completed_event});
    const std::string all = s.out + s.closing();
    std::size_t found = 0;
    for (std::size_t at = 0; (at = all.find(R"("sealed-resp_1")", at)) != all.npos; ++at) ++found;
    EXPECT_EQ(found, 4U) << all;
    EXPECT_EQ(all.find(R"("resp_1")"), all.npos) << all;
    EXPECT_NE(all.find(R"("msg_1")"), all.npos) << all;
    EXPECT_EQ(sealer.seals, 1);
}

TEST_F(responses_ids, are_sealed_in_what_the_gateway_writes_itself) {
    RecordProperty("rules", "RSP-ID-001");
    auto begun = tracking();
    begun.send_all({in_progress, text_delta("a", 2)});
    EXPECT_EQ(begun.out.find(R"("resp_1")"), begun.out.npos) << begun.out;
    EXPECT_TRUE(begun.out.starts_with("event: response.created")) << begun.out;
    auto ended = tracking();
    ended.send_all({created, message_added, text_delta("a", 4), message_done, "[DONE]"});
    const std::string closing = ended.closing();
    EXPECT_NE(closing.find(R"("id":"sealed-resp_1")"), closing.npos) << closing;
    EXPECT_NE(closing.find(R"("model":"gpt")"), closing.npos) << closing;
    auto whole = tracking();
    std::string out;
    EXPECT_FALSE(whole->on_answer(response("completed", "[" + message_item + "]"), out).has_value());
    whole->close(out, {});
    EXPECT_EQ(out.find(R"("resp_1")"), out.npos) << out;
    EXPECT_EQ(out.find("sealed-sealed"), out.npos) << out;
}

TEST_F(responses_ids, that_are_the_gateways_own_are_no_upstreams) {
    auto s = tracking();
    s.send_all({text_delta("a", 0), "[DONE]"});
    EXPECT_EQ(sealer.seals, 0);
}

TEST_F(responses_ids, that_change_with_every_event_are_forgotten) {
    auto s = tracking();
    for (int i = 0; i < 1000; ++i) s.send(life("in_progress", i, R"({"id":"r)" + std::to_string(i) + "\"}"));
    EXPECT_NE(s.out.find(R"("sealed-r999")"), s.out.npos);
    EXPECT_EQ(s.out.find(R"("id":"r)"), s.out.npos);
}

TEST_F(responses_ids, and_models_are_hidden_wherever_an_event_names_them) {
    auto s = tracking();
    s.send_all(
        {created, R"({"type":"response.made_up","sequence_number":1,"model":"up","delta":"x","item":{"model":"up"}})"});
    EXPECT_NE(s.out.find(R"("model":"gpt","delta":"x","item":{"model":"up"}})"), s.out.npos) << s.out;
    auto doubled = tracking();
    EXPECT_EQ(doubled.send(R"({"type":"response.created","response":{"model":"up"},"response":{}})"),
              frame_class::error);
}

} // namespace
} // namespace turnout::codec::responses
