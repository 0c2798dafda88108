#include "gateway/reaching.hpp"

namespace turnout::gateway {
namespace {

std::string written(const config::name_server& server) {
    const bool is_ipv6 = server.address.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + server.address + "]" : server.address) + ":" + std::to_string(server.port);
}

} // namespace

net::upstream_options reaching(const config::network_settings& network) {
    net::upstream_options options;
    options.connect = network.connect;
    options.ca_file = network.ca_file;
    for (const auto& server : network.dns_servers) options.name_servers.push_back(written(server));
    if (const auto& p = network.proxy) options.proxy = net::proxy_options{p->host, p->port, p->credentials, p->without};
    return options;
}

} // namespace turnout::gateway
