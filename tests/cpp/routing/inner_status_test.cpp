#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "routing/inner_status.hpp"

namespace turnout::routing {
namespace {

TEST(inner_status, is_inferred_from_words_where_the_error_has_no_number) {
    const std::tuple<std::string_view, std::string_view, int> rows[] = {
        {"insufficient_quota", "", 429},
        {"rate_limit_exceeded", "tokens", 429},
        {"", "resource_exhausted", 429},
        {"invalid_api_key", "invalid_request_error", 401},
        {"", "authentication_error", 401},
        {"", "permission_error", 403},
        {"", "billing_error", 402},
        {"model_not_found", "invalid_request_error", 404},
        {"", "notfounderror", 404},
        {"", "conflict_error", 409},
        {"context_length_exceeded", "", 400},
        {"content_filter", "", 400},
        {"tool_use_failed", "invalid_request_error", 400},
        {"failed_to_download_image", "", 400},
        {"image_too_large", "", 400},
        {"", "badrequesterror", 400},
        {"", "overloaded_error", 503},
        {"", "timeout_error", 504},
        {"vector_store_timeout", "", 504},
        {"server_error", "server_error", 500},
        {"", "", 500},
    };
    for (const auto& [code, type, status] : rows) EXPECT_EQ(inner_status(0, code, type), status) << code << type;
}

TEST(inner_status, is_the_errors_own_number_first_and_then_its_codes) {
    EXPECT_EQ(inner_status(418, "429", "timeout_error"), 418);
    EXPECT_EQ(inner_status(200, "429", "timeout_error"), 429);
    EXPECT_EQ(inner_status(0, "399", "timeout_error"), 504);
    EXPECT_EQ(inner_status(0, "600", "timeout_error"), 504);
    EXPECT_EQ(inner_status(0, "429x", "timeout_error"), 504);
}

} // namespace
} // namespace turnout::routing
