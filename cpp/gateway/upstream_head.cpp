#include "gateway/upstream_head.hpp"

#include <charconv>
#include <stdexcept>

#include "base/path_segment.hpp"
#include "codec/http1_rules.hpp"
#include "gateway/served_contract.hpp"

namespace turnout::gateway {
namespace {

std::string without_brackets(std::string_view host) {
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    return std::string(host);
}

void write_key(std::string& head, config::key_header where, const std::string& key) {
    switch (where) {
    case config::key_header::bearer: codec::http1::write_header(head, "authorization", "Bearer " + key); return;
    case config::key_header::x_api_key: codec::http1::write_header(head, "x-api-key", key); return;
    case config::key_header::api_key: codec::http1::write_header(head, "api-key", key); return;
    }
}

} // namespace

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

std::string upstream_fields(const config::deployment& d, const base_location& at) {
    std::string head;
    codec::http1::write_header(head, "host", at.authority);
    if (!d.api_key.empty()) write_key(head, config::traits_of(d.adapter_key).key, d.api_key);
    codec::http1::write_header(head, "accept-encoding", "identity");
    codec::http1::write_header(head, "user-agent", "turnout/" TURNOUT_VERSION);
    for (const auto& [name, value] : d.headers) codec::http1::write_header(head, name, value);
    return head;
}

std::string upstream_head(const config::deployment& d, const base_location& at, std::string_view operation,
                          std::string_view method) {
    std::string head;
    codec::http1::write_request_line(
        head, method, config::operation_target(d.adapter_key, d.version, d.upstream_model, at.path, operation));
    head += upstream_fields(d, at);
    if (method == "POST") codec::http1::write_header(head, "content-type", "application/json");
    return head;
}

std::string stored_request_line(const config::deployment& d, std::string_view base_path, const stored_call& call,
                                std::string_view upstream_id) {
    std::string operation(contract_of(contract_kind::stored_response).operation);
    operation += '/';
    base::write_path_segment(operation, upstream_id);
    operation += call.below;
    auto target = config::operation_target(d.adapter_key, d.version, d.upstream_model, base_path, operation);
    if (!call.query.empty()) {
        target += target.find('?') == target.npos ? '?' : '&';
        target += call.query;
    }
    std::string line;
    codec::http1::write_request_line(line, call.method, target);
    return line;
}

void write_anthropic_fields(std::string& out, const codec::http1::head& client, std::string_view version) {
    using codec::http1::same_name;
    if (const auto asked = client.find("anthropic-version"); asked && !asked->empty()) version = *asked;
    if (!version.empty()) codec::http1::write_header(out, "anthropic-version", version);
    for (const auto& [name, value] : client.headers())
        if (same_name(name, "anthropic-beta")) codec::http1::write_header(out, "anthropic-beta", value);
}

} // namespace turnout::gateway
