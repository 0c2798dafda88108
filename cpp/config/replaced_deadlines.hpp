#pragma once

#include <vector>

#include "config/reader.hpp"

namespace turnout::config {

/// `members` and, beside them, the deadlines of earlier releases, each of which is a problem that says what took its
/// place: they bounded the output of a model, and those that replaced them bound the connection.
std::vector<member> with_replaced_deadlines(std::vector<member> members);

} // namespace turnout::config
