#include "gateway/deployment_table.hpp"

#include <charconv>
#include <stdexcept>

#include "codec/http1.hpp"
#include "codec/json_string.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {
namespace {

struct base_location {
    net::endpoint where;
    std::string authority; ///< for the Host header
    std::string path;
};

std::string without_brackets(std::string_view host) {
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    return std::string(host);
}

base_location locate(std::string_view url) {
    base_location l;
    const auto scheme = url.find("://");
    if (scheme == std::string_view::npos) throw std::invalid_argument("baseUrl is not absolute");
    l.where.tls = url.substr(0, scheme) == "https";
    url.remove_prefix(scheme + 3);
    const auto slash = url.find('/');
    const auto authority = url.substr(0, slash);
    l.authority = authority;
    l.path = slash == std::string_view::npos ? std::string() : std::string(url.substr(slash));
    l.where.port = l.where.tls ? 443 : 80;
    const auto colon = authority.rfind(':');
    const auto bracket = authority.rfind(']');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
        const auto digits = authority.substr(colon + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), l.where.port);
        if (error != std::errc() || end != digits.data() + digits.size())
            throw std::invalid_argument("baseUrl has no usable port");
        l.where.host = without_brackets(authority.substr(0, colon));
    } else {
        l.where.host = without_brackets(authority);
    }
    return l;
}

std::string chat_head(const config::deployment& d, const base_location& l) {
    std::string head;
    codec::http1::write_request_line(head, "POST", l.path + "/chat/completions");
    codec::http1::write_header(head, "host", l.authority);
    if (!d.api_key.empty()) codec::http1::write_header(head, "authorization", "Bearer " + d.api_key);
    codec::http1::write_header(head, "content-type", "application/json");
    codec::http1::write_header(head, "accept-encoding", "identity");
    codec::http1::write_header(head, "user-agent", "turnout/" TURNOUT_VERSION);
    return head;
}

} // namespace

std::string public_id(std::string_view id) { return "dep_" + net::hex(net::sha256(id), 12); }

deployment_table::deployment_table(const config::configuration& settings) : models_(make_public_models(settings)) {
    const auto& chat = settings.router.of(config::operation::chat);
    all_.reserve(settings.deployments.size());
    for (const auto& d : settings.deployments) {
        const auto location = locate(d.base_url);
        const auto* overriding = d.overrides.of(config::operation::chat);
        all_.push_back({.settings = d,
                        .public_id = public_id(d.id),
                        .upstream_model = codec::json::to_json_string(d.upstream_model),
                        .public_model = codec::json::to_json_string(d.public_model),
                        .where = location.where,
                        .chat_head = chat_head(d, location),
                        .chat = {.json = config::effective(chat.json, overriding, false),
                                 .stream = config::effective(chat.stream, overriding, true)}});
    }
}

const public_model* deployment_table::find(std::string_view name) const {
    const auto it = models_.find(name);
    return it == models_.end() ? nullptr : &it->second;
}

} // namespace turnout::gateway
