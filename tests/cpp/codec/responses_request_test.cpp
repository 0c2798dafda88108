#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "codec/contracts/responses/responses.hpp"
#include "codec/edits.hpp"

namespace turnout::codec::responses {
namespace {

contract_request accepted(std::string_view body) {
    auto parsed = instance().parse_request(body);
    const auto* const problem = std::get_if<request_problem>(&parsed);
    EXPECT_EQ(problem, nullptr) << (problem == nullptr ? "" : problem->message);
    return problem == nullptr ? std::get<contract_request>(std::move(parsed)) : contract_request{};
}

TEST(responses_request, reads_what_the_gateway_needs) {
    const contract_request r = accepted(R"({"input":"hi","stream":true,"model":"g\u0070t"})");
    EXPECT_EQ(r.model, "gpt");
    EXPECT_TRUE(r.stream);
    EXPECT_EQ(r.n, 1U);
    EXPECT_FALSE(accepted(R"({"model":"m","input":[{"role":"user","content":"hi"}],"stream":null})").stream);
}

TEST(responses_request, wants_no_input_where_something_else_stands_for_it) {
    EXPECT_EQ(accepted(R"({"model":"m","previous_response_id":"resp_1","prompt":null,"background":false})").model, "m");
    EXPECT_EQ(accepted(R"({"model":"m"})").previous, nullptr);
}

TEST(responses_request, changes_the_model_and_nothing_else) {
    const std::string body =
        R"({ "model" : "m", "input":"x", "previous_response_id":null, "conversation":null, "store":false,)"
        R"( "stream":true, "stream_options":{"include_obfuscation":false}, "background":false, "model2":"m" })";
    const contract_request r = accepted(body);
    std::string out;
    apply(body, instance().upstream_edits(r, R"("up")", true), out);
    std::string wanted = body;
    wanted.replace(wanted.find(R"("m")"), 3, R"("up")");
    EXPECT_EQ(out, wanted);
    EXPECT_TRUE(instance().upstream_edits(r, R"("m")", true).empty());
}

TEST(responses_request, goes_on_from_what_the_upstream_calls_otherwise) {
    for (const bool model_first : {true, false}) {
        const std::string previous = R"("previous_response_id" : "resp\u005fours")";
        const std::string body =
            model_first ? R"({"model":"m",)" + previous + ",\"x\":1}" : "{" + previous + R"(,"model":"m","x":1})";
        const contract_request r = accepted(body);
        ASSERT_NE(r.previous, nullptr);
        EXPECT_EQ(r.previous->shown, "resp_ours");
        r.previous->upstream_text = R"("resp_up")";
        std::string out;
        apply(body, instance().upstream_edits(r, R"("up")", true), out);
        std::string wanted = body;
        wanted.replace(wanted.find(R"("m")"), 3, R"("up")");
        wanted.replace(wanted.find(R"("resp\u005fours")"), 16, R"("resp_up")");
        EXPECT_EQ(out, wanted);
    }
}

struct refusal {
    std::string id;
    std::string body;
    std::string code;
    std::string param;
    std::string message;
};

class refused_requests : public testing::TestWithParam<refusal> {};

TEST_P(refused_requests, say_which_member_and_why) {
    const auto parsed = instance().parse_request(GetParam().body);
    const auto* const problem = std::get_if<request_problem>(&parsed);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->status, 400);
    EXPECT_EQ(problem->code, GetParam().code);
    EXPECT_EQ(problem->param, GetParam().param);
    EXPECT_EQ(problem->message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    responses_request, refused_requests,
    testing::Values(
        refusal{"no_model", R"({"input":"x"})", "missing_required_parameter", "model", "'model' is required."},
        refusal{"input_number", R"({"model":"m","input":1})", "invalid_type", "input",
                "'input' must be a string or an array."},
        refusal{"input_null", R"({"model":"m","input":null})", "invalid_type", "input",
                "'input' must be a string or an array."},
        refusal{"input_object", R"({"model":"m","input":{}})", "invalid_type", "input",
                "'input' must be a string or an array."},
        refusal{"stream_word", R"({"model":"m","stream":"yes"})", "invalid_type", "stream",
                "'stream' must be a boolean."},
        refusal{"background", R"({"model":"m","input":"x","background":true})", "unsupported_parameter", "background",
                "'background' is not supported: an answer is waited for. Leave it out or make it false."},
        refusal{"background_word", R"({"model":"m","background":"true"})", "invalid_type", "background",
                "'background' must be a boolean."},
        refusal{"previous_number", R"({"model":"m","previous_response_id":7})", "invalid_type", "previous_response_id",
                "'previous_response_id' must be a string or null."},
        refusal{"two_previous", R"({"model":"m","previous_response_id":null,"previous_response_id":"r"})",
                "duplicate_member", "previous_response_id", "'previous_response_id' appears more than once."},
        refusal{"prompt", R"({"model":"m","prompt":{"id":"p"}})", "unsupported_parameter", "prompt",
                "'prompt' is not supported. Leave it out and send what it stands for in 'input'."},
        refusal{"conversation", R"({"model":"m","input":"x","conversation":"conv_1"})", "unsupported_parameter",
                "conversation",
                "'conversation' is not supported. Leave it out and send what it stands for in 'input'."},
        refusal{"two_inputs", R"({"model":"m","input":"x","input":"y"})", "duplicate_member", "input",
                "'input' appears more than once."},
        refusal{"two_backgrounds", R"({"model":"m","background":false,"background":true})", "duplicate_member",
                "background", "'background' appears more than once."},
        refusal{"two_models", R"({"model":"m","model":"n"})", "duplicate_member", "model",
                "'model' appears more than once."},
        refusal{"not_json", R"({"model":"m")", "invalid_json", "", "The body is not valid JSON (byte 12)."}),
    [](const auto& row) { return row.param.id; });

} // namespace
} // namespace turnout::codec::responses
