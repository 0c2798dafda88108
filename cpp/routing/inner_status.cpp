#include "routing/inner_status.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace turnout::routing {

namespace {

bool is_error_status(int status) { return status >= 400 && status <= 599; }

std::optional<int> number_of(std::string_view code) {
    int number = 0;
    const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), number);
    if (error != std::errc{} || end != code.data() + code.size() || !is_error_status(number)) return std::nullopt;
    return number;
}

/// The first that occurs wins, so the narrower ones come first.
constexpr auto statuses_of_words = std::to_array<std::pair<std::string_view, int>>({
    {"server_error", 500},
    {"insufficient_quota", 429},
    {"rate_limit", 429},
    {"resource_exhausted", 429},
    {"throttl", 429},
    {"too_many_requests", 429},
    {"billing", 402},
    {"authentication", 401},
    {"unauthenticated", 401},
    {"invalid_api_key", 401},
    {"permission", 403},
    {"image_", 400},
    {"not_found", 404},
    {"notfound", 404},
    {"context_length", 400},
    {"context_size", 400},
    {"content_filter", 400},
    {"content_policy", 400},
    {"conflict", 409},
    {"timeout", 504},
    {"deadline_exceeded", 504},
    {"overload", 503},
    {"unavailable", 503},
    {"too_large", 413},
    {"invalid", 400},
    {"bad_request", 400},
    {"badrequest", 400},
    {"unsupported", 400},
    {"failed_to_download_image", 400},
    {"data_residency_mismatch", 400},
});

std::optional<int> status_of(std::string_view code_or_type) {
    for (const auto& [word, status] : statuses_of_words) {
        if (code_or_type.find(word) != std::string_view::npos) return status;
    }
    return std::nullopt;
}

} // namespace

int inner_status(int own, std::string_view code, std::string_view type) {
    if (is_error_status(own)) return own;
    if (const auto status = number_of(code)) return *status;
    if (const auto status = status_of(code)) return *status;
    return status_of(type).value_or(500);
}

} // namespace turnout::routing
