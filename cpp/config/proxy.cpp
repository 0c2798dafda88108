#include "config/proxy.hpp"

#include <algorithm>
#include <charconv>
#include <variant>

#include "base/ascii.hpp"
#include "config/base_url.hpp"

namespace turnout::config {
namespace {

struct variable {
    std::string name;
    std::string value;
};

std::optional<variable> first_set(const environment& env, const std::string& lower, const std::string& upper) {
    for (const auto& name : {lower, upper}) {
        if (auto value = env(name); value && !value->empty()) {
            return variable{name, std::move(*value)};
        }
    }
    return std::nullopt;
}

/// Nothing if a percent sign is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    while (!text.empty()) {
        if (text.front() != '%') {
            decoded += text.front();
            text.remove_prefix(1);
            continue;
        }
        unsigned value = 0;
        const char* const end = text.data() + std::min<std::size_t>(text.size(), 3);
        const auto parsed = std::from_chars(text.data() + 1, end, value, 16);
        if (text.size() < 3 || parsed.ec != std::errc{} || parsed.ptr != end) {
            return std::nullopt;
        }
        decoded += static_cast<char>(value);
        text.remove_prefix(3);
    }
    return decoded;
}

/// The proxy, or what its URL must be.
std::variant<proxy_settings, std::string_view> parse_proxy(std::string_view url) {
    const std::size_t scheme_end = url.find("://");
    const std::string scheme =
        scheme_end == std::string_view::npos ? "http" : base::lower_case(url.substr(0, scheme_end));
    if (scheme == "https") {
        return "must be an http:// URL; proxies that speak TLS themselves are not supported by this version";
    }
    if (scheme != "http") {
        return "must be an http:// URL";
    }
    std::string_view rest = scheme_end == std::string_view::npos ? url : url.substr(scheme_end + 3);
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    proxy_settings proxy;
    const std::size_t at = rest.rfind('@');
    if (at != std::string_view::npos) {
        const auto credentials = percent_decoded(rest.substr(0, at));
        if (!credentials || credentials->find_first_of(std::string_view{"\0\r\n", 3}) != std::string::npos) {
            return "must have its user and password percent-encoded";
        }
        proxy.credentials = credentials->find(':') == std::string::npos ? *credentials + ':' : *credentials;
        rest.remove_prefix(at + 1);
    }
    auto where = parse_authority(rest);
    if (!where) {
        return "must name a host, with a port from 1 to 65535 if any, and nothing after it";
    }
    proxy.host = std::move(where->host);
    proxy.port = where->port.value_or(proxy.port);
    return proxy;
}

std::vector<std::string> parse_list(std::string_view text) {
    std::vector<std::string> entries;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view entry = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        entry.remove_prefix(std::min(entry.find_first_not_of(" \t"), entry.size()));
        entry.remove_suffix(entry.size() - (entry.find_last_not_of(" \t") + 1));
        if (!entry.empty()) {
            entries.push_back(base::lower_case(entry));
        }
    }
    return entries;
}

} // namespace

void load_proxy(const environment& env, std::optional<proxy_settings>& proxy, problems& found) {
    const auto given = first_set(env, "https_proxy", "HTTPS_PROXY");
    if (!given) {
        return;
    }
    auto parsed = parse_proxy(given->value);
    if (const auto* fault = std::get_if<std::string_view>(&parsed)) {
        found.push_back({given->name, std::string{*fault}});
        return;
    }
    proxy = std::get<proxy_settings>(std::move(parsed));
    if (const auto list = first_set(env, "no_proxy", "NO_PROXY")) {
        proxy->without = parse_list(list->value);
    }
}

} // namespace turnout::config
