#include "gateway/reaching.hpp"

namespace turnout::gateway {

net::upstream_options reaching(const config::network_settings& network) {
    net::upstream_options options;
    options.connect = network.connect;
    options.ca_file = network.ca_file;
    for (const auto& server : network.dns_servers)
        options.name_servers.push_back(net::with_port(server.address, server.port));
    if (const auto& p = network.proxy) options.proxy = net::proxy_options{p->host, p->port, p->credentials, p->without};
    return options;
}

} // namespace turnout::gateway
