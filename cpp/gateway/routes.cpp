#include "gateway/routes.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/path_segment.hpp"

namespace turnout::gateway {
namespace {

constexpr std::string_view model_prefix = "/v1/models/";
constexpr std::string_view responses_prefix = "/v1/responses/";
constexpr std::string_view deployments_suffix = "/deployments";

/// Anthropic's SDKs append their paths, which begin with `/v1`, to a base URL, which some have ending in that already.
std::string_view without_doubled_version(std::string_view path) {
    constexpr std::string_view version = "/v1";
    if (!path.starts_with("/v1/v1/m")) return path;
    const auto once = path.substr(version.size());
    return once.starts_with("/v1/messages") || once.starts_with("/v1/models") ? once : path;
}

/// What follows `/v1/messages` in a path at or below it.
std::optional<std::string_view> below_messages(std::string_view path) {
    constexpr std::string_view messages = "/v1/messages";
    if (!path.starts_with(messages)) return std::nullopt;
    path.remove_prefix(messages.size());
    return path.empty() || path.front() == '/' ? std::optional(path) : std::nullopt;
}

constexpr std::string_view below_input = "/input_items";
constexpr std::string_view below_cancel = "/cancel";

/// Decoded, since some clients encode even what need not be; as it stands where the encoding is broken.
std::string meant(std::string_view part) { return base::read_path_segment(part).value_or(std::string(part)); }

/// What follows `/v1/responses/` where that begins as the ids of responses do: other names there may be operations.
std::string_view below_responses(std::string_view path) {
    if (!path.starts_with(responses_prefix)) return {};
    path.remove_prefix(responses_prefix.size());
    const auto id = path.substr(0, path.find('/'));
    return meant(id).starts_with(contract_of(contract_kind::stored_response).id_prefix) ? path : std::string_view();
}

bool is_stored(route r) { return r == route::stored_response || r == route::stored_input || r == route::stored_cancel; }

std::optional<route> stored_route(std::string_view below_id) {
    if (below_id.empty()) return route::stored_response;
    const auto below = meant(below_id);
    if (below == below_input) return route::stored_input;
    return below == below_cancel ? std::optional(route::stored_cancel) : std::nullopt;
}

bool is_http(std::string_view scheme) {
    const auto lower = base::lower_case(scheme);
    return lower == "http" || lower == "https";
}

} // namespace

std::string_view path_of(std::string_view target) {
    target = target.substr(0, target.find('?'));
    if (target.starts_with('/')) return without_doubled_version(target);
    const auto authority = target.find("://");
    if (authority == std::string_view::npos || !is_http(target.substr(0, authority))) return target;
    const auto path = target.find('/', authority + 3);
    return path == std::string_view::npos ? "/" : without_doubled_version(target.substr(path));
}

std::optional<route> find_route(std::string_view path) {
    if (path == "/v1/chat/completions") return route::chat_completions;
    if (const auto rest = below_messages(path)) {
        if (rest->empty()) return route::messages;
        return rest == "/count_tokens" ? std::optional(route::count_tokens) : std::nullopt;
    }
    if (path == "/v1/responses") return route::responses;
    if (const auto below = below_responses(path); !below.empty())
        return stored_route(below.substr(std::min(below.find('/'), below.size())));
    if (path == "/v1/models") return route::models;
    if (path.starts_with(model_prefix) && path.size() > model_prefix.size()) {
        const bool view =
            path.ends_with(deployments_suffix) && path.size() > model_prefix.size() + deployments_suffix.size();
        return view ? route::deployments : route::model;
    }
    if (path == "/health/live") return route::health_live;
    if (path == "/health/ready") return route::health_ready;
    return std::nullopt;
}

stored_call stored_call_at(route r, std::string_view method, std::string_view target) {
    if (!is_stored(r)) return {};
    if (method == "HEAD") method = "GET"; // whose body the client is not sent
    const auto below = below_responses(path_of(target));
    const auto query = target.find('?');
    return {method, below.substr(0, below.find('/')),
            r == route::stored_input    ? below_input
            : r == route::stored_cancel ? below_cancel
                                        : std::string_view(),
            query == std::string_view::npos ? std::string_view() : target.substr(query + 1)};
}

std::optional<contract_kind> contract_at(route r) {
    switch (r) {
    case route::chat_completions: return contract_kind::chat;
    case route::messages: return contract_kind::messages;
    case route::count_tokens: return contract_kind::count_tokens;
    case route::responses: return contract_kind::responses;
    case route::stored_response:
    case route::stored_input:
    case route::stored_cancel:
    case route::models:
    case route::model:
    case route::deployments:
    case route::health_live:
    case route::health_ready: break;
    }
    return std::nullopt;
}

contract_kind error_shape_at(std::string_view path) {
    return below_messages(path) ? contract_kind::messages : contract_kind::chat;
}

std::string_view allowed_methods(route r) {
    if (r == route::responses) return "POST, GET";
    if (r == route::stored_response) return "GET, HEAD, DELETE";
    return contract_at(r) || r == route::stored_cancel ? "POST" : "GET, HEAD";
}

bool begins_socket(route r, std::string_view method) { return r == route::responses && method == "GET"; }

bool allows(route r, std::string_view method) {
    if (begins_socket(r, method)) return true;
    if (r == route::stored_response && method == "DELETE") return true;
    if (contract_at(r) || r == route::stored_cancel) return method == "POST";
    return method == "GET" || method == "HEAD";
}

bool needs_key(route r) { return contract_at(r).has_value() || is_stored(r) || r == route::deployments; }

std::optional<std::string> model_segment(std::string_view path) {
    if (find_route(path) == route::deployments) path.remove_suffix(deployments_suffix.size());
    path.remove_prefix(model_prefix.size());
    return base::read_path_segment(path);
}

} // namespace turnout::gateway
