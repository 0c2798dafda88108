#include "config/replaced_deadlines.hpp"

namespace turnout::config {

std::vector<member> with_replaced_deadlines(std::vector<member> members) {
    for (const std::string_view name : {"firstOutputMs", "reasoningOnlyMs", "preCommitMs"}) {
        members.push_back({.name = name,
                           .read = [](const field& f) { f.fail("was replaced by responseMs and idleMs"); },
                           .replaced = true});
    }
    return members;
}

} // namespace turnout::config
