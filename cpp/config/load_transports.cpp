#include <algorithm>
#include <optional>

#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

void read_transport(const field& f, transport_set& into) {
    const auto t = read_choice(f, transports);
    if (t && into.has(*t)) {
        f.fail("must be given only once");
    } else if (t) {
        into.add(*t);
    }
}

} // namespace

void load_transports(const field& section, std::optional<transport_set>& chosen) {
    const auto read = [&](const field& f) {
        transport_set all;
        if (!f.node().IsSequence()) {
            read_transport(f, all);
        } else if (f.node().size() == 0) {
            f.fail("must name at least one transport");
        } else {
            read_sequence(f, [&](const field& item, std::size_t) { read_transport(item, all); });
        }
        chosen = all;
    };
    read_map(section, {{"text.generate", read, true}});
}

void complete_transports(const field& section, const std::optional<transport_set>& chosen, deployment& d) {
    const auto possible = possible_transports(d.adapter_key, d.version);
    const auto wanted = chosen.value_or(traits_of(d.adapter_key).transports);
    d.transports = {};
    for (const auto t : transports) {
        if (!wanted.has(t)) {
            continue;
        }
        if (possible.has(t)) {
            d.transports.add(t);
        } else if (chosen) {
            section.fail_member("transportOverrides", "adapterKey " + std::string{to_string(d.adapter_key)}
                                                          + " with credentials.version has no transport "
                                                          + std::string{to_string(t)});
        }
    }
}

void complete_web_socket(const field& section, std::optional<bool> chosen, deployment& d) {
    d.web_socket = chosen.value_or(takes_websockets(d.adapter_key, d.base_url, d.transports));
    if (d.web_socket && !d.transports.has(transport::responses))
        section.fail_member("webSocket",
                            "must not be true without the transport responses, which alone has WebSockets");
}

} // namespace turnout::config
