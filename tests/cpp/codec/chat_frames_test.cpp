#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "chat_stream.hpp"

// What single frames mean and how the client sees them.
namespace turnout::codec::chat {
namespace {

using enum frame_class;

struct delta_row {
    std::string delta;
    frame_class expected;
};

class deltas : public testing::TestWithParam<delta_row> {};

TEST_P(deltas, commit_when_they_hold_output) {
    stream s;
    EXPECT_EQ(s.send(frame(GetParam().delta)), GetParam().expected) << GetParam().delta;
}

INSTANTIATE_TEST_SUITE_P(
    chat_frames, deltas,
    testing::Values(
        delta_row{R"({})", metadata}, delta_row{R"({"role":"assistant"})", metadata},
        delta_row{R"({"role":"assistant","content":"","refusal":null})", metadata},
        delta_row{R"({"content":null,"reasoning_content":""})", metadata},
        delta_row{R"({"tool_calls":null})", metadata}, delta_row{R"({"tool_calls":[]})", metadata},
        delta_row{R"({"function_call":null})", metadata}, delta_row{R"({"reasoning_details":[]})", metadata},
        delta_row{R"({"images":[]})", metadata}, delta_row{R"({"audio":{"id":"a"}})", metadata},
        delta_row{R"({"audio":{"transcript":""}})", metadata},
        delta_row{R"({"annotations":[{"type":"url_citation"}]})", metadata}, delta_row{R"({"content":[]})", metadata},
        delta_row{R"({"content":[{"type":"text","text":""}]})", metadata},
        delta_row{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":""}]}]})", metadata},
        delta_row{R"({"content":"a"})", commits}, delta_row{R"({"content":"\n\n"})", commits},
        delta_row{R"({"content":[{"type":"text","text":"a"}]})", commits},
        delta_row{R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]})", commits},
        delta_row{R"({"reasoning_content":"a"})", commits}, delta_row{R"({"reasoning":"a"})", commits},
        delta_row{R"({"reasoning_details":[{"type":"reasoning.encrypted"}]})", commits},
        delta_row{R"({"thinking":"a"})", commits}, delta_row{R"({"thinking_blocks":[{"thinking":"a"}]})", commits},
        delta_row{R"({"tool_calls":[{"index":0}]})", commits}, delta_row{R"({"function_call":{"name":"f"}})", commits},
        delta_row{R"({"refusal":"no"})", commits}, delta_row{R"({"audio":{"data":"aa"}})", commits},
        delta_row{R"({"audio":{"transcript":"a"}})", commits}, delta_row{R"({"images":[{"image_url":{}}]})", commits},
        delta_row{R"({"c\u006fntent":"a"})", commits}));

struct provider_row {
    std::string id;
    std::vector<std::string> payloads;
    std::vector<frame_class> classes;
};

class providers : public testing::TestWithParam<provider_row> {};

TEST_P(providers, are_understood) {
    stream s;
    s.send_all(GetParam().payloads);
    EXPECT_EQ(s.classes, GetParam().classes);
    EXPECT_TRUE(s->complete());
    EXPECT_THAT(s->anomalies(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    chat_frames, providers,
    testing::Values(
        provider_row{
            "azure",
            {R"({"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]})",
             role_frame, text_frame("a"), finish_frame(),
             chunk(R"({"index":0,"finish_reason":null,"content_filter_results":{},"content_filter_offsets":{}})"),
             chunk("", R"(,"moderation":{})"), "[DONE]"},
            {metadata, metadata, commits, finished, metadata, metadata, end}},
        provider_row{
            "azure_deepseek",
            {frame(R"({"role":"assistant","content":"","tool_calls":null})"),
             frame(R"({"role":null,"content":"a","tool_calls":null})"),
             chunk(R"({"index":0,"delta":{"role":null,"content":""},"finish_reason":"stop","matched_stop":1})"),
             usage_frame, "[DONE]"},
            {metadata, commits, finished, metadata, end}},
        provider_row{"deepseek",
                     {frame(R"({"role":"assistant","content":null,"reasoning_content":""})"),
                      frame(R"({"content":null,"reasoning_content":"We"})"),
                      frame(R"({"content":"a","reasoning_content":null})"),
                      chunk(choice_of(R"({"content":""})", 0, R"("stop")"), R"(,"usage":)" + usage_object), "[DONE]"},
                     {metadata, commits, commits, finished, end}},
        provider_row{
            "openrouter",
            {frame(R"({"role":"assistant","content":"","reasoning":"a","reasoning_details":[{"text":"a"}]})"),
             R"({"id":"g","provider":"P","model":"up","choices":[{"index":0,"delta":{"role":"assistant","content":""},)"
             R"("finish_reason":"stop","native_finish_reason":"STOP"}]})",
             usage_frame, "[DONE]"},
            {commits, finished, metadata, end}},
        provider_row{
            "vllm",
            {chunk(choice_of(role_delta), R"(,"prompt_token_ids":null,"usage":)" + usage_object),
             chunk(R"({"index":0,"delta":{"reasoning":"a"},"logprobs":null,"finish_reason":null,"token_ids":null})",
                   R"(,"usage":)" + usage_object),
             chunk(R"({"index":0,"delta":{"content":""},"finish_reason":"stop","stop_reason":null})"), "[DONE]"},
            {metadata, commits, finished, end}},
        provider_row{"ollama",
                     {frame(R"({"role":"assistant","content":"","tool_calls":[{"id":"t","index":0,"function":{}}]})"),
                      chunk(choice_of(R"({"role":"assistant","content":""})", 0, R"("tool_calls")")), "[DONE]"},
                     {commits, finished, end}},
        provider_row{
            "groq",
            {chunk(choice_of(role_delta), R"(,"x_groq":{"id":"req_1"})"), text_frame("a"),
             chunk(choice_of("{}", 0, R"("stop")"), R"(,"x_groq":{"id":"req_1","usage":)" + usage_object + "}"),
             "[DONE]"},
            {metadata, commits, finished, end}},
        provider_row{
            "mistral",
            {frame(R"({"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]}]})"),
             chunk(choice_of(R"({"content":"","tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]})", 0,
                             R"("tool_calls")"),
                   R"(,"usage":)" + usage_object),
             "[DONE]"},
            {commits, commits, end}},
        provider_row{
            "xai",
            {R"({"id":"x","model":"up","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"a"}}]})",
             chunk(choice_of(R"({"content":""})", 0, R"("stop")")), usage_frame, "[DONE]"},
            {commits, finished, metadata, end}},
        provider_row{
            "perplexity",
            {chunk(choice_of(R"({"role":"assistant","content":"a"})"), R"(,"citations":["u"],"usage":)" + usage_object),
             chunk(choice_of(R"({"role":"assistant","content":""})", 0, R"("stop")"), R"(,"usage":)" + usage_object),
             "[DONE]"},
            {commits, finished, end}},
        provider_row{
            "anthropic_compatible",
            {frame(R"({"role":"assistant","tool_calls":[{"index":1,"id":"t","type":"function","function":{}}]})"),
             finish_frame("tool_calls"), "[DONE]"},
            {commits, finished, end}},
        provider_row{
            "gemini_compatible",
            {frame(R"({"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"s"}},)"
                   R"("function":{"arguments":"{}","name":"f"},"id":"t","type":"function"}]})"),
             finish_frame(), "[DONE]"},
            {commits, finished, end}}),
    [](const auto& row) { return row.param.id; });

TEST(chat_frames, show_the_public_model_and_stay_otherwise_the_same) {
    stream s;
    const std::string odd =
        R"({ "model" : "up", "choices" : [ { "index":0, "delta":{"role":"assistant","content":"\u00e9"} } ], "x":1.0e5 })";
    s.send(odd);
    EXPECT_EQ(
        s.out,
        R"(data: { "model" : "gpt", "choices" : [ { "index":0, "delta":{"role":"assistant","content":"\u00e9"} } ], "x":1.0e5 })"
        "\n\n");
}

TEST(chat_frames, show_the_public_model_each_time_that_one_is_named) {
    stream s;
    s.send(R"({"model":"up","choices":[],"model":"up","model":7})");
    EXPECT_EQ(s.out, "data: "
                     R"({"model":"gpt","choices":[],"model":"gpt","model":7})"
                     "\n\n");
}

TEST(chat_frames, keep_an_empty_model_and_the_right_one) {
    for (const char* model : {"", "gpt"}) {
        stream s;
        const std::string payload = chunk(choice_of(role_delta), "", model);
        s.send(payload);
        EXPECT_EQ(s.out, "data: " + payload + "\n\n");
    }
}

TEST(chat_frames, survive_line_breaks_between_tokens) {
    stream s;
    s.send("\n{\"choices\":[],\r\n\"model\":\"up\"}\n");
    EXPECT_EQ(s.out, "data: {\"choices\":[],\ndata: \"model\":\"gpt\"}\n\n");
}

struct role_row {
    std::string id;
    std::string choice;
    std::string expected;
};

class missing_roles : public testing::TestWithParam<role_row> {};

TEST_P(missing_roles, are_given_once) {
    stream s;
    s.send(chunk(GetParam().choice));
    EXPECT_EQ(s.out, seen(chunk(GetParam().expected)));
    s.out.clear();
    s.send(text_frame("b"));
    EXPECT_EQ(s.out, seen(text_frame("b")));
}

INSTANTIATE_TEST_SUITE_P(chat_frames, missing_roles,
                         testing::Values(role_row{"content", choice_of(R"({"content":"a"})"),
                                                  choice_of(R"({"role":"assistant","content":"a"})")},
                                         role_row{"empty_delta", choice_of("{}"), choice_of(R"({"role":"assistant"})")},
                                         role_row{"null_role", choice_of(R"({"role":null,"content":"a"})"),
                                                  choice_of(R"({"role":"assistant","content":"a"})")},
                                         role_row{"empty_role", choice_of(R"({"content":"a","role":""})"),
                                                  choice_of(R"({"content":"a","role":"assistant"})")},
                                         role_row{"null_delta_at_finish", choice_of("null", 0, R"("stop")"),
                                                  choice_of(R"({"role":"assistant"})", 0, R"("stop")")},
                                         role_row{"no_delta_at_finish", R"({"index":0,"finish_reason":"stop"})",
                                                  R"({"delta":{"role":"assistant"},"index":0,"finish_reason":"stop"})"},
                                         role_row{"there_already", choice_of(role_delta), choice_of(role_delta)}),
                         [](const auto& row) { return row.param.id; });

TEST(chat_frames, give_each_choice_its_role) {
    stream s(2);
    s.send(chunk(choice_of(R"({"content":"a"})") + "," + choice_of(R"({"content":"b"})", 1)));
    EXPECT_EQ(s.out, seen(chunk(choice_of(R"({"role":"assistant","content":"a"})") + ","
                                + choice_of(R"({"role":"assistant","content":"b"})", 1))));
}

TEST(chat_frames, hide_usage_that_nobody_asked_for) {
    stream s;
    s.send(role_frame);
    s.out.clear();
    s.send(usage_frame);
    EXPECT_EQ(s.out, "");
    s.send(
        chunk(choice_of("{}"), R"(,"usage":)" + usage_object + R"(,"x_groq":{"id":"r","usage":)" + usage_object + "}"));
    EXPECT_EQ(s.out, seen(chunk(choice_of("{}"), R"(,"usage":null,"x_groq":{"id":"r","usage":null})")));
    s.out.clear();
    s.send(chunk("", R"(,"usage":null)"));
    EXPECT_EQ(s.out, seen(chunk("", R"(,"usage":null)")));
    ASSERT_TRUE(s->usage().has_value());
    EXPECT_EQ(s->usage()->total, 3);
}

TEST(chat_frames, show_usage_that_was_asked_for) {
    stream s(1, true);
    s.send(usage_frame);
    EXPECT_EQ(s.out, seen(usage_frame));
}

TEST(chat_frames, count_the_latest_usage_wherever_it_is) {
    stream s;
    EXPECT_FALSE(s->usage().has_value());
    s.send(chunk("", R"(,"x_groq":{"usage":{"prompt_tokens":5,"completion_tokens":1}})"));
    EXPECT_EQ(s->usage()->total, 6);
    s.send(chunk(choice_of("{}"), R"(,"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":9})"));
    s.send(chunk(choice_of("{}"), R"(,"usage":null)"));
    EXPECT_EQ(s->usage()->prompt, 5);
    EXPECT_EQ(s->usage()->completion, 2);
    EXPECT_EQ(s->usage()->total, 9);
}

TEST(chat_frames, of_the_gateway_continue_the_stream) {
    stream s;
    s.send(role_frame);
    s.send("[DONE]");
    std::string out;
    s->close(out, R"({"served_model":"gpt"})");
    EXPECT_TRUE(out.ends_with(own_head
                              + R"("choices":[],"unified_routing":{"served_model":"gpt"}})"
                                "\n\ndata: [DONE]\n\n"))
        << out;
}

} // namespace
} // namespace turnout::codec::chat
