#include <gtest/gtest.h>

#include "gateway/routes.hpp"

namespace turnout::gateway {
namespace {

TEST(routes, are_found_by_their_path) {
    EXPECT_EQ(find_route("/v1/chat/completions"), route::chat_completions);
    for (const auto path : {"/v1/messages", "/v1/v1/messages"})
        EXPECT_EQ(find_route(path_of(path)), route::messages) << path;
    for (const auto path : {"/v1/messages/count_tokens", "/v1/v1/messages/count_tokens"})
        EXPECT_EQ(find_route(path_of(path)), route::count_tokens) << path;
    for (const auto target : {"/v1/v1/models", "http://h/v1/v1/models?limit=1"})
        EXPECT_EQ(find_route(path_of(target)), route::models) << target;
    EXPECT_EQ(find_route(path_of("/v1/v1/responses")), std::nullopt);
    EXPECT_EQ(find_route("/v1/responses"), route::responses);
    EXPECT_EQ(find_route("/v1/models"), route::models);
    EXPECT_EQ(find_route("/v1/models/gpt"), route::model);
    EXPECT_EQ(find_route("/v1/models/org/gpt"), route::model);
    EXPECT_EQ(find_route("/health/live"), route::health_live);
    EXPECT_EQ(find_route("/health/ready"), route::health_ready);
}

TEST(routes, of_stored_responses_hold_an_id) {
    EXPECT_EQ(find_route("/v1/responses/resp_1"), route::stored_response);
    EXPECT_EQ(find_route("/v1/responses/resp_"), route::stored_response);
    EXPECT_EQ(find_route("/v1/responses/resp_1/input_items"), route::stored_input);
    EXPECT_EQ(find_route("/v1/responses/resp_1/cancel"), route::stored_cancel);
    for (const auto path : {"/v1/responses/", "/v1/responses/compact", "/v1/responses/x", "/v1/responses/resp_1/",
                            "/v1/responses/resp_1/x", "/v1/responses/resp_1/cancel/", "/v1/responses//cancel"})
        EXPECT_EQ(find_route(path), std::nullopt) << path;
    const auto call = stored_call_at(route::stored_input, "GET", "/v1/responses/resp_1/input_items?limit=2&a=?");
    EXPECT_EQ(call.method, "GET");
    EXPECT_EQ(call.id, "resp_1");
    EXPECT_EQ(call.below, "/input_items");
    EXPECT_EQ(call.query, "limit=2&a=?");
    EXPECT_TRUE(call);
    EXPECT_EQ(stored_call_at(route::stored_response, "HEAD", "/v1/responses/resp_1").method, "GET");
    EXPECT_FALSE(stored_call_at(route::responses, "POST", "/v1/responses"));
    EXPECT_EQ(stored_call_at(route::stored_response, "GET", "/v1/responses/resp_1?a=/").below, "");
    for (const auto r : {route::stored_response, route::stored_input, route::stored_cancel}) {
        EXPECT_TRUE(needs_key(r));
        EXPECT_EQ(contract_at(r), std::nullopt);
    }
}

TEST(routes, of_stored_responses_may_be_percent_encoded) {
    RecordProperty("rules", "RSP-STORED-008");
    for (const auto path : {"/v1/responses/resp%5F1", "/v1/responses/%72esp%5f1", "/v1/responses/resp_%zz",
                            "/v1/responses/resp_1%2Fcancel"})
        EXPECT_EQ(find_route(path), route::stored_response) << path;
    for (const auto path : {"/v1/responses/resp%5F1/input%5Fitems", "/v1/responses/resp%5F1/input_items"}) {
        EXPECT_EQ(find_route(path), route::stored_input) << path;
        const auto call = stored_call_at(route::stored_input, "GET", path);
        EXPECT_EQ(call.id, "resp%5F1");
        EXPECT_EQ(call.below, "/input_items");
    }
    EXPECT_EQ(stored_call_at(route::stored_cancel, "POST", "/v1/responses/resp_1/%63ancel").below, "/cancel");
    for (const auto path : {"/v1/responses/resp%5", "/v1/responses/resp%zz_1", "/v1/responses/resp%255F1",
                            "/v1/responses/resp_1/cancel%2F", "/v1/responses%2Fresp_1"})
        EXPECT_EQ(find_route(path), std::nullopt) << path;
}

TEST(routes, are_no_others) {
    for (const auto path : {"", "/", "/v1", "/v1/models/", "/v1/models//", "/V1/models", "/v1/chat/completions/",
                            "/health", "*", "/v1/modelsx", "/v1/messagesx", "/v1/messages/", "/v1/messages/batches",
                            "/v1/v1/v1/messages", "/v1/v1/models", "/v1/v1/responses", "/v1/responses/"}) {
        SCOPED_TRACE(path);
        if (std::string_view(path) == "/v1/models//")
            EXPECT_EQ(find_route(path), route::model);
        else
            EXPECT_EQ(find_route(path), std::nullopt);
    }
}

TEST(routes, do_not_look_at_the_query) {
    EXPECT_EQ(path_of("/v1/models?limit=3"), "/v1/models");
    EXPECT_EQ(path_of("/v1/models??a"), "/v1/models");
    EXPECT_EQ(path_of("/v1/models"), "/v1/models");
    EXPECT_EQ(path_of("?"), "");
}

TEST(routes, understand_targets_of_http_alone_in_absolute_form) {
    for (const auto* target : {"http://h/v1/models", "HTTPS://h:1/v1/models?a=b"})
        EXPECT_EQ(path_of(target), "/v1/models");
    EXPECT_EQ(path_of("http://h"), "/");
    for (const auto* target :
         {"ftp://h/v1/models", "httpx://h/v1/models", "ttp://h/v1/models", "://h/v1/models", "*://h/v1/models"})
        EXPECT_EQ(path_of(target), target);
}

TEST(routes, answer_their_methods_only) {
    EXPECT_TRUE(allows(route::chat_completions, "POST"));
    EXPECT_FALSE(allows(route::chat_completions, "GET"));
    EXPECT_FALSE(allows(route::chat_completions, "HEAD"));
    for (const auto r : {route::models, route::model, route::health_live, route::health_ready}) {
        EXPECT_TRUE(allows(r, "GET"));
        EXPECT_TRUE(allows(r, "HEAD"));
        EXPECT_FALSE(allows(r, "POST"));
        EXPECT_FALSE(allows(r, "get"));
        EXPECT_EQ(allowed_methods(r), "GET, HEAD");
    }
    for (const auto r : {route::chat_completions, route::messages, route::count_tokens}) {
        EXPECT_EQ(allowed_methods(r), "POST");
        EXPECT_FALSE(begins_socket(r, "GET"));
    }
    EXPECT_EQ(allowed_methods(route::responses), "POST, GET");
    EXPECT_TRUE(allows(route::responses, "POST"));
    EXPECT_TRUE(allows(route::responses, "GET"));
    EXPECT_FALSE(allows(route::responses, "HEAD"));
    EXPECT_TRUE(begins_socket(route::responses, "GET"));
    EXPECT_FALSE(begins_socket(route::responses, "POST"));
}

TEST(routes, tell_errors_in_the_shape_of_their_contract) {
    for (const auto path : {"/v1/messages", "/v1/messages/count_tokens", "/v1/messages/batches", "/v1/v1/messages"})
        EXPECT_EQ(error_shape_at(path_of(path)), contract_kind::messages) << path;
    for (const auto path : {"/v1/chat/completions", "/v1/responses", "/v1/models", "/v1/messagesx", "/", ""})
        EXPECT_EQ(error_shape_at(path), contract_kind::chat) << path;
}

TEST(routes, ask_for_a_key_where_money_is_spent) {
    for (const auto r : {route::chat_completions, route::messages, route::count_tokens, route::responses})
        EXPECT_TRUE(needs_key(r));
    for (const auto r : {route::models, route::model, route::health_live, route::health_ready})
        EXPECT_FALSE(needs_key(r));
}

TEST(model_segment, is_percent_decoded) {
    EXPECT_EQ(model_segment("/v1/models/gpt-4o"), "gpt-4o");
    EXPECT_EQ(model_segment("/v1/models/org/gpt"), "org/gpt");
    EXPECT_EQ(model_segment("/v1/models/org%2Fgpt%2fx"), "org/gpt/x");
    EXPECT_EQ(model_segment("/v1/models/%C3%A9"), "\xC3\xA9");
    EXPECT_EQ(model_segment("/v1/models/a+b"), "a+b");
    EXPECT_EQ(model_segment("/v1/models/%2541"), "%41");
    EXPECT_EQ(model_segment("/v1/models/%41"), "A");
}

TEST(model_segment, is_nothing_when_its_encoding_is_broken) {
    for (const auto path : {"/v1/models/%", "/v1/models/a%4", "/v1/models/%g1", "/v1/models/%1g", "/v1/models/% 1"})
        EXPECT_EQ(model_segment(path), std::nullopt) << path;
}

} // namespace
} // namespace turnout::gateway
