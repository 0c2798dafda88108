#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "config/base_url.hpp"
#include "config/given_credentials.hpp"
#include "config/scalars.hpp"

namespace turnout::config {
namespace {

constexpr std::size_t most_headers = 32;

// Those that a request's meaning or its way depends on.
constexpr auto managed_headers = std::to_array<std::string_view>({"accept",
                                                                  "accept-encoding",
                                                                  "anthropic-beta",
                                                                  "anthropic-version",
                                                                  "authorization",
                                                                  "connection",
                                                                  "content-encoding",
                                                                  "content-length",
                                                                  "content-type",
                                                                  "expect",
                                                                  "host",
                                                                  "keep-alive",
                                                                  "proxy-authorization",
                                                                  "proxy-connection",
                                                                  "te",
                                                                  "trailer",
                                                                  "transfer-encoding",
                                                                  "upgrade",
                                                                  "user-agent",
                                                                  "x-request-id"});

void read_base_url(const field& f, std::string& base_url) {
    const auto text = read_string(f);
    if (!text) {
        return;
    }
    auto url = normalize_base_url(*text);
    if (const auto* fault = std::get_if<url_fault>(&url)) {
        f.fail(std::string{fault->message});
    } else {
        base_url = std::get<std::string>(std::move(url));
    }
}

bool is_token(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), base::is_in_token);
}

/// A name without digits is no credential that slipped into its place.
bool is_name_like(std::string_view name) {
    return name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || c == '-' || c == '_';
           });
}

void read_header_value(const field& f, std::string name, std::vector<extra_header>& headers) {
    auto value = read_string(f);
    if (!value) {
        return;
    }
    const bool is_sendable = std::all_of(value->begin(), value->end(), [](char c) { return c >= 0x20 && c < 0x7F; });
    if (!is_sendable || value->front() == ' ' || value->back() == ' ') {
        f.fail("must consist of visible ASCII characters, with blanks only between them");
    } else {
        headers.push_back({std::move(name), *std::move(value)});
    }
}

/// Header names are nobody's fields: their case does not count, and any may be given that is free.
void read_headers(const field& section, std::vector<extra_header>& headers) {
    if (!section.node().IsMap()) {
        section.fail("must be a map");
        return;
    }
    if (section.node().size() > most_headers) {
        section.fail("must have at most " + std::to_string(most_headers) + " headers");
        return;
    }
    std::vector<std::string> seen;
    for (const auto& entry : section.node()) {
        auto name = entry.first.IsScalar() ? base::lower_case(entry.first.Scalar()) : std::string{};
        if (!is_token(name)) {
            section.fail("must have names of HTTP headers");
            continue;
        }
        const field f =
            is_name_like(name) ? section.member(name, entry.second) : section.item(seen.size(), entry.second);
        if (std::find(managed_headers.begin(), managed_headers.end(), name) != managed_headers.end()) {
            f.fail("is a header that the gateway sets");
        } else if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
            f.fail("must be given only once");
        } else {
            read_header_value(f, name, headers);
        }
        seen.push_back(std::move(name));
    }
}

std::string needs_of(const adapter_traits& traits) {
    std::string needs = traits.key_required ? "apiKey" : "";
    if (traits.base_url.empty()) {
        needs += needs.empty() ? "baseUrl" : " and baseUrl";
    }
    return needs;
}

} // namespace

void load_credentials(const field& section, deployment& d, given_credentials& given) {
    given.section = section;
    read_map(section, {
                          {"apiKey",
                           [&](const field& f) {
                               given.api_key = true;
                               assign(d.api_key, read_secret(f));
                           }},
                          {"baseUrl",
                           [&](const field& f) {
                               given.base_url = true;
                               read_base_url(f, d.base_url);
                           }},
                          {"version",
                           [&](const field& f) {
                               given.version = true;
                               assign(d.version, read_secret(f));
                           }},
                          {"headers",
                           [&](const field& f) {
                               given.headers = true;
                               read_headers(f, d.headers);
                           }},
                      });
}

void complete_credentials(const field& deployment_section, deployment& d, const given_credentials& given) {
    const auto& traits = traits_of(d.adapter_key);
    if (!given.section) {
        deployment_section.fail_member("credentials", "is required, with " + needs_of(traits));
        return;
    }
    const field& credentials = *given.section;
    if (!credentials.node().IsMap()) {
        return;
    }
    const std::string adapter_key = "adapterKey " + std::string{to_string(d.adapter_key)};
    if (traits.key_required && !given.api_key) {
        credentials.fail_member("apiKey", "is required with " + adapter_key);
    }
    if (!given.base_url) {
        if (traits.base_url.empty()) {
            credentials.fail_member("baseUrl", "is required with " + adapter_key);
        }
        d.base_url = traits.base_url;
    } else if (const auto operation = operation_at_end(d.base_url); !operation.empty()) {
        credentials.fail_member("baseUrl", "must end before " + std::string{operation} + ", which the gateway appends");
    } else {
        d.base_url = without_prefix(d.adapter_key, d.base_url);
    }
    if (!given.version) {
        d.version = traits.default_version;
    } else if (traits.version == version_use::none) {
        credentials.fail_member("version", "has no meaning with " + adapter_key);
    }
    if (given.headers && !traits.extra_headers) {
        credentials.fail_member("headers", "has no meaning with " + adapter_key);
    }
}

} // namespace turnout::config
