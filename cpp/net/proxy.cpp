#include "net/proxy.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "net/base64.hpp"

namespace turnout::net {
namespace {

using codec::http1::event_type;

/// Splits `host:port` where the colon is the only one, or follows a bracket; answers the host without brackets.
std::string_view host_of(std::string_view entry, std::string_view& port) {
    if (entry.starts_with('[')) {
        const auto end = std::min(entry.find(']'), entry.size());
        if (entry.substr(end).starts_with("]:")) port = entry.substr(end + 2);
        return entry.substr(1, end - 1);
    }
    const auto colon = entry.find(':');
    if (colon == std::string_view::npos || entry.find(':', colon + 1) != std::string_view::npos) return entry;
    port = entry.substr(colon + 1);
    return entry.substr(0, colon);
}

bool is_in_domain(std::string_view host, std::string_view domain) {
    if (domain.starts_with("*.")) domain.remove_prefix(1);
    if (domain.starts_with('.')) domain.remove_prefix(1);
    if (domain.empty() || !host.ends_with(domain)) return false;
    return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

std::string refusal_text(int status) {
    const auto number = std::to_string(status);
    if (status == 407) return "the proxy wants other credentials: it answered 407";
    return "the proxy refused the tunnel: it answered " + number;
}

} // namespace

bool is_proxied(const proxy_options& proxy, const endpoint& to) {
    if (!to.tls) return false;
    const auto host = base::lower_case(to.host);
    return std::none_of(proxy.without.begin(), proxy.without.end(), [&](std::string_view entry) {
        if (entry == "*") return true;
        std::string_view port;
        const auto domain = host_of(entry, port);
        return is_in_domain(host, domain) && (port.empty() || port == std::to_string(to.port));
    });
}

tunnel_request::tunnel_request(const proxy_options& proxy, const endpoint& to) {
    const auto authority = with_port(to.host, to.port);
    codec::http1::write_request_line(text_, "CONNECT", authority);
    codec::http1::write_header(text_, "host", authority);
    if (!proxy.credentials.empty())
        codec::http1::write_header(text_, "proxy-authorization", "Basic " + base64(proxy.credentials));
    text_ += "\r\n";
    unsent_ = text_;
    answer_.expect_no_body(); // what follows the head of a 2xx is the tunnel
}

tunnel_request::state tunnel_request::take(std::string_view bytes) {
    for (;;) {
        switch (answer_.next(bytes).type) {
        case event_type::need_more: return state::waiting;
        case event_type::head:
            if (answer_.current().status() >= 300) return refuse(refusal_text(answer_.current().status()));
            break;
        case event_type::body: break;
        case event_type::complete:
            // An endpoint with TLS never speaks first.
            return bytes.empty() ? state::open : refuse("the proxy sent bytes before the tunnel was used");
        case event_type::error: return refuse("the proxy's answer is no HTTP: " + std::string(answer_.problem_text()));
        }
    }
}

tunnel_request::state tunnel_request::closed() { return refuse("the proxy closed the connection before it answered"); }

tunnel_request::state tunnel_request::refuse(std::string why) {
    problem_ = std::move(why);
    return state::refused;
}

} // namespace turnout::net
