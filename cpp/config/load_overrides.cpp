#include "config/replaced_deadlines.hpp"
#include "config/scalars.hpp"
#include "config/sections.hpp"

namespace turnout::config {
namespace {

void read_override(const field& section, std::optional<policy_override>& target) {
    policy_override& o = target.emplace();
    read_map(section, with_replaced_deadlines({
                          {"responseMs", [&](const field& f) { o.response = read_duration(f); }},
                          {"idleMs", [&](const field& f) { o.idle = read_duration(f); }},
                          {"totalMs", [&](const field& f) { o.total = read_duration(f); }},
                      }));
}

} // namespace

void load_overrides(const field& section, policy_overrides& overrides) {
    std::vector<member> members{{"all", [&](const field& f) { read_override(f, overrides.all); }}};
    for (const operation o : operations) {
        members.push_back({to_string(o), [&overrides, o](const field& f) { read_override(f, overrides.specific[o]); }});
    }
    read_map(section, members);
}

} // namespace turnout::config
