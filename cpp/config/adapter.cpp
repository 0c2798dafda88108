#include "config/adapter.hpp"

#include "base/path_segment.hpp"

namespace turnout::config {
namespace {

constexpr transport_set every_transport{transport::chat, transport::responses, transport::messages};

constexpr adapter_traits openai{
    .base_url = "https://api.openai.com/v1", .transports = {transport::chat, transport::responses}, .web_socket = true};
constexpr adapter_traits openaicompatible{
    .key_required = false, .extra_headers = true, .transports = {transport::chat}};
constexpr adapter_traits anthropic{.base_url = "https://api.anthropic.com",
                                   .prefix = "/v1",
                                   .key = key_header::x_api_key,
                                   .version = version_use::header,
                                   .default_version = "2023-06-01",
                                   .transports = {transport::messages}};
constexpr adapter_traits azureopenai{.prefix = "/openai/v1",
                                     .key = key_header::api_key,
                                     .version = version_use::deployed_path,
                                     .transports = {transport::chat, transport::responses}};
constexpr adapter_traits openrouter{.base_url = "https://openrouter.ai/api/v1", .transports = every_transport};

/// What follows the host of an absolute URL without query; may be empty.
std::string_view path_of(std::string_view url) {
    const auto scheme = url.find("://");
    const auto begin = scheme == std::string_view::npos ? scheme : url.find('/', scheme + 3);
    return begin == std::string_view::npos ? std::string_view() : url.substr(begin);
}

bool names_deployments(adapter a, std::string_view version) {
    return traits_of(a).version == version_use::deployed_path && !version.empty();
}

} // namespace

std::string_view to_string(transport t) {
    switch (t) {
    case transport::chat: return "chat";
    case transport::responses: return "responses";
    case transport::messages: return "messages";
    }
    return {};
}

std::string_view to_string(adapter a) {
    switch (a) {
    case adapter::openai: return "openai";
    case adapter::openaicompatible: return "openaicompatible";
    case adapter::anthropic: return "anthropic";
    case adapter::azureopenai: return "azureopenai";
    case adapter::openrouter: return "openrouter";
    }
    return {};
}

const adapter_traits& traits_of(adapter a) {
    switch (a) {
    case adapter::openai: return openai;
    case adapter::openaicompatible: break;
    case adapter::anthropic: return anthropic;
    case adapter::azureopenai: return azureopenai;
    case adapter::openrouter: return openrouter;
    }
    return openaicompatible;
}

transport_set possible_transports(adapter a, std::string_view version) {
    return names_deployments(a, version) ? transport_set{transport::chat} : every_transport;
}

bool takes_websockets(adapter a, std::string_view base_url, transport_set all) {
    const auto& traits = traits_of(a);
    return traits.web_socket && base_url == traits.base_url && all.has(transport::responses);
}

std::string_view without_prefix(adapter a, std::string_view base_url) {
    const auto path = path_of(base_url);
    for (auto begin = traits_of(a).prefix; !begin.empty(); begin = begin.substr(0, begin.rfind('/'))) {
        if (!path.ends_with(begin)) continue;
        base_url.remove_suffix(begin.size());
        break;
    }
    return base_url;
}

std::string_view operation_at_end(std::string_view base_url) {
    constexpr std::array<std::string_view, 5> operations{"/chat/completions", "/completions", "/responses",
                                                         "/messages/count_tokens", "/messages"};
    const auto path = path_of(base_url);
    for (const auto operation : operations)
        if (path.ends_with(operation)) return operation;
    return {};
}

std::string operation_target(adapter a, std::string_view version, std::string_view upstream_model,
                             std::string_view base_path, std::string_view operation) {
    std::string target(base_path);
    if (!names_deployments(a, version)) {
        return target.append(traits_of(a).prefix).append(operation);
    }
    target += "/openai/deployments/";
    base::write_path_segment(target, upstream_model);
    target.append(operation).append("?api-version=");
    base::write_path_segment(target, version);
    return target;
}

} // namespace turnout::config
