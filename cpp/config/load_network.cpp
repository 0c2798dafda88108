#include "config/name_server.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

constexpr std::int64_t longest_connect_ms = 60'000;

void read_authorities(const field& f, std::string& file) {
    auto path = read_path(f);
    if (!path) {
        return;
    }
    if (const auto& check = f.files().authorities) {
        if (auto fault = check(*path)) {
            f.fail(std::move(*fault));
            return;
        }
    }
    file = std::move(*path);
}

void read_name_servers(const field& f, std::vector<name_server>& servers) {
    if (f.node().IsSequence() && f.node().size() == 0) {
        f.fail("must name at least one server");
        return;
    }
    read_sequence(f, [&](const field& item, std::size_t) {
        const auto text = read_string(item);
        if (!text) {
            return;
        }
        if (auto server = parse_name_server(*text)) {
            servers.push_back(std::move(*server));
        } else {
            item.fail("must be an IP address, with a port from 1 to 65535 if any; brackets go around IPv6 with a port");
        }
    });
}

} // namespace

void load_network(const field& section, network_settings& network) {
    read_map(section, {
                          {"caFile", [&](const field& f) { read_authorities(f, network.ca_file); }},
                          {"dnsServers", [&](const field& f) { read_name_servers(f, network.dns_servers); }},
                          {"connectMs",
                           [&](const field& f) {
                               const auto value = read_integer(f, 1, longest_connect_ms);
                               if (value) {
                                   network.connect = base::milliseconds{*value};
                               }
                           }},
                      });
}

} // namespace turnout::config
