#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "codec/contracts/responses/socket.hpp"
#include "codec/contracts/responses/socket_request.hpp"
#include "codec/contracts/responses/warm_up.hpp"
#include "codec/edits.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::responses {
namespace {

socket_request accepted(std::string_view message) {
    auto read = read_socket_request(message);
    const auto* const problem = std::get_if<request_problem>(&read);
    EXPECT_EQ(problem, nullptr) << (problem == nullptr ? "" : problem->message);
    return problem == nullptr ? std::get<socket_request>(std::move(read)) : socket_request{};
}

std::string sent(std::string_view message, const socket_request& r) {
    std::string out;
    apply(message, socket_instance().upstream_edits(r.request, R"("up")", true), out);
    EXPECT_TRUE(json::is_json(out)) << out;
    return out;
}

std::string sent(std::string_view message) { return sent(message, accepted(message)); }

TEST(responses_socket_request, becomes_the_body_of_a_streamed_request) {
    RecordProperty("rules", "WS-TURN-001");
    EXPECT_EQ(sent(R"({"type":"response.create","model":"m","input":"x","made_up": 1.00})"),
              R"({"stream":true,"model":"up","input":"x","made_up": 1.00})");
    EXPECT_EQ(sent(R"( { "model" : "m" , "ty\u0070e" : "response\u002ecreate" } )"),
              R"( { "model" : "up" , "stream":true } )");
    EXPECT_TRUE(accepted(R"({"type":"response.create","model":"m"})").request.stream);
}

std::string over_socket(std::string_view message, const socket_request& r) {
    std::string out;
    apply(message, message_edits(r.request, R"("up")"), out);
    EXPECT_TRUE(json::is_json(out)) << out;
    return out;
}

TEST(responses_socket_request, stays_a_message_for_deployments_that_take_such) {
    RecordProperty("rules", "WS-UP-001");
    const auto unchanged = [](std::string_view message) { return over_socket(message, accepted(message)); };
    EXPECT_EQ(unchanged(R"({"type":"response.create","model":"m","input":"x","made_up": 1.00})"),
              R"({"type":"response.create","model":"up","input":"x","made_up": 1.00})");
    EXPECT_EQ(unchanged(R"({"model":"m","generate":true,"type" : "response\u002ecreate"})"),
              R"({"model":"up","type" : "response\u002ecreate"})");
    const std::string_view message = R"({"previous_response_id":"a","type":"response.create","model":"m"})";
    auto r = accepted(message);
    r.request.previous->upstream_text = R"("resp_1")";
    EXPECT_EQ(over_socket(message, r), R"({"previous_response_id":"resp_1","type":"response.create","model":"up"})");
    const std::string alike = R"("stream":true)";
    const auto edits = message_edits(accepted(R"({"type":"response.create","model":"m"})").request, alike);
    ASSERT_EQ(edits.size(), 1U);
    EXPECT_EQ(edits[0].text.data(), alike.data()) << "what only reads alike stays";
}

TEST(responses_socket_request, takes_generate_out) {
    RecordProperty("rules", "WS-TURN-001 WS-WARM-001");
    EXPECT_EQ(sent(R"({"generate":true,"type":"response.create","model":"m"})"), R"({"stream":true,"model":"up"})");
    EXPECT_EQ(sent(R"({"type":"response.create","generate": true , "model":"m"})"), R"({"stream":true, "model":"up"})");
    EXPECT_EQ(sent(R"({"type":"response.create","model":"m" , "generate":null })"),
              R"({"stream":true,"model":"up"  })");
    EXPECT_TRUE(accepted(R"({"type":"response.create","model":"m","generate":null})").generate);
    EXPECT_FALSE(accepted(R"({"type":"response.create","model":"m","generate":false})").generate);
}

struct refusal {
    std::string message;
    std::string code;
    std::string param;
};

TEST(responses_socket_request, names_what_is_wrong) {
    RecordProperty("rules", "WS-MSG-001 WS-MSG-002 WS-MSG-003 WS-MSG-004");
    const std::vector<refusal> cases{
        {"", "invalid_json", ""},
        {"hello", "invalid_json", ""},
        {"[]", "invalid_type", ""},
        {R"({"model":"m"})", "missing_required_parameter", "type"},
        {"{}", "missing_required_parameter", "type"},
        {R"({"type":"response.cancel"})", "invalid_value", "type"},
        {R"({"type":1,"model":"m"})", "invalid_type", "type"},
        {R"({"type":"response.cancel","model":"m"})", "invalid_value", "type"},
        {R"({"type":"response.creates","model":"m"})", "invalid_value", "type"},
        {R"({"type":"response.create","type":"response.create","model":"m"})", "duplicate_member", "type"},
        {R"({"type":"response.create"})", "missing_required_parameter", "model"},
        {R"({"type":"response.create","model":7})", "invalid_type", "model"},
        {R"({"type":"response.create","model":"m","input":1})", "invalid_type", "input"},
        {R"({"type":"response.create","model":"m","generate":"no"})", "invalid_type", "generate"},
        {R"({"type":"response.create","model":"m","generate":true,"generate":true})", "duplicate_member", "generate"},
        {R"({"type":"response.create","model":"m","previous_response_id":1})", "invalid_type", "previous_response_id"},
        {R"({"type":"response.create","model":"m","stream":true})", "unsupported_parameter", "stream"},
        {R"({"type":"response.create","model":"m","stream":null})", "unsupported_parameter", "stream"},
        {R"({"type":"response.create","model":"m","stream_options":{}})", "unsupported_parameter", "stream_options"},
        {R"({"type":"response.create","model":"m","background":false})", "unsupported_parameter", "background"},
        {R"({"type":"response.create","model":"m","stream_id":"a"})", "unsupported_parameter", "stream_id"},
    };
    for (const auto& c : cases) {
        const auto read = read_socket_request(c.message);
        const auto* const problem = std::get_if<request_problem>(&read);
        ASSERT_NE(problem, nullptr) << c.message;
        EXPECT_EQ(problem->status, 400) << c.message;
        EXPECT_EQ(problem->code, c.code) << c.message;
        EXPECT_EQ(problem->param, c.param) << c.message;
        EXPECT_TRUE(c.param.empty() || problem->message.find("'" + c.param + "'") != std::string::npos)
            << problem->message;
    }
}

TEST(responses_socket, writes_errors_as_frames_with_a_status) {
    RecordProperty("rules", "WS-ERROR-001");
    const public_error e{429, "rate_limit_error", "slow_down", "", "Wait \"a bit\"."};
    const std::string frame =
        R"({"type":"error","status":429,"error":{"message":"Wait \"a bit\".","type":"rate_limit_error","param":null,)"
        R"("code":"slow_down"}})";
    std::string out;
    socket_instance().write_error(out, e, "req_1");
    EXPECT_EQ(out, frame);
    out.clear();
    socket_instance().write_error_event(out, e, "req_1", 7);
    EXPECT_EQ(out, "data: " + frame + "\n\n");
}

constexpr std::string_view warming =
    R"({"type":"response.create","generate":false,"model":"m","input":[ {"role":"developer","content":"d"} ],)"
    R"("previous_response_id":"resp_0"})";

std::string following(std::string_view message, const warm_up& w) {
    socket_request turn = accepted(message);
    EXPECT_TRUE(w.is_named_by(turn.request));
    w.precede(message, turn);
    if (turn.request.previous) { // as whoever unseals it would
        EXPECT_EQ(turn.request.previous->shown, "resp_0");
        turn.request.previous->upstream_text = R"("up_0")";
    }
    return sent(message, turn);
}

TEST(responses_warm_up, puts_its_input_before_that_of_the_turn_which_names_it) {
    RecordProperty("rules", "WS-WARM-002");
    const warm_up w("resp_w", warming, accepted(warming), nullptr);
    EXPECT_EQ(
        following(R"({"type":"response.create","model":"m","previous_response_id":"resp_w","input":[{"a":1}]})", w),
        R"({"stream":true,"model":"up","previous_response_id":"up_0","input":[{"role":"developer","content":"d"},{"a":1}]})");
    EXPECT_EQ(
        following(R"({"type":"response.create","model":"m","previous_response_id":"resp_w","input":[ ]})", w),
        R"({"stream":true,"model":"up","previous_response_id":"up_0","input":[{"role":"developer","content":"d"} ]})");
    EXPECT_EQ(
        following(R"({"input":"h\n","type":"response.create","model":"m","previous_response_id":"resp_w"})", w),
        R"({"input":[{"role":"developer","content":"d"},{"role":"user","content":"h\n"}],"stream":true,"model":"up","previous_response_id":"up_0"})");
    EXPECT_EQ(
        following(R"({"type":"response.create","model":"m","previous_response_id":"resp_w"})", w),
        R"({"input":[{"role":"developer","content":"d"}],"stream":true,"model":"up","previous_response_id":"up_0"})");
    EXPECT_EQ(
        following(R"({"type":"response.create","model":"m","previous_response_id":"resp_w","generate":true})", w),
        R"({"input":[{"role":"developer","content":"d"}],"stream":true,"model":"up","previous_response_id":"up_0"})");
    EXPECT_EQ(
        following(
            R"({"type":"response.create","model":"m","previous_response_id":"resp_w","input":"h","generate":true})", w),
        R"({"stream":true,"model":"up","previous_response_id":"up_0","input":[{"role":"developer","content":"d"},{"role":"user","content":"h"}]})");
}

TEST(responses_warm_up, puts_its_input_into_a_message_too) {
    RecordProperty("rules", "WS-UP-001");
    const warm_up w("resp_w", warming, accepted(warming), nullptr);
    for (const std::string_view message :
         {R"({"type":"response.create","previous_response_id":"resp_w","model":"m"})",
          R"({"previous_response_id":"resp_w","input":"x","model":"m","type":"response.create"})"}) {
        auto turn = accepted(message);
        w.precede(message, turn);
        auto posted = accepted(message);
        w.precede(message, posted);
        turn.request.previous->upstream_text = posted.request.previous->upstream_text = R"("resp_1")";
        std::string expected = sent(message, posted);
        expected.replace(expected.find(streamed), std::string_view(streamed).size(), R"("type":"response.create")");
        EXPECT_EQ(over_socket(message, turn), expected);
    }
}

TEST(responses_warm_up, follows_another) {
    RecordProperty("rules", "WS-WARM-002");
    const std::string first = R"({"type":"response.create","generate":false,"model":"m","input":"one"})";
    const std::string second =
        R"({"type":"response.create","generate":false,"model":"m","input":[2],"previous_response_id":"resp_1"})";
    const std::string empty =
        R"({"type":"response.create","generate":false,"model":"m","previous_response_id":"resp_2"})";
    const warm_up a("resp_1", first, accepted(first), nullptr);
    const warm_up b("resp_2", second, accepted(second), &a);
    const warm_up c("resp_3", empty, accepted(empty), &b);
    EXPECT_EQ(
        following(R"({"type":"response.create","model":"m","previous_response_id":"resp_3","input":[3]})", c),
        R"({"stream":true,"model":"up","previous_response_id":null,"input":[{"role":"user","content":"one"},2,3]})");
}

TEST(responses_warm_up, without_input_only_stands_aside) {
    RecordProperty("rules", "WS-WARM-002");
    const std::string nothing = R"({"type":"response.create","generate":false,"model":"m","input":[]})";
    const warm_up w("resp_w", nothing, accepted(nothing), nullptr);
    EXPECT_EQ(following(R"({"type":"response.create","model":"m","previous_response_id":"resp_w","input":"x"})", w),
              R"({"stream":true,"model":"up","previous_response_id":null,"input":"x"})");
}

TEST(responses_warm_up, is_answered_by_an_empty_response) {
    RecordProperty("rules", "WS-WARM-001");
    const warm_up w("resp_w", warming, accepted(warming), nullptr);
    std::string out;
    w.write_events(out, "m", 77);
    EXPECT_TRUE(out.starts_with("event: response.created\ndata: ")) << out;
    EXPECT_NE(out.find("event: response.completed\n"), std::string::npos) << out;
    EXPECT_NE(out.find(R"("id":"resp_w","object":"response","created_at":77)"), std::string::npos) << out;
    EXPECT_NE(out.find(R"("output":[])"), std::string::npos) << out;
    EXPECT_EQ(out.find("delta"), std::string::npos) << out;
}

} // namespace
} // namespace turnout::codec::responses
