#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "config/load.hpp"

namespace turnout::config {

/// Why a text with references has no value.
struct reference_fault {
    std::string message; ///< a sentence that may name a variable, never a value
};

/// Replaces every `${NAME}` by the variable's value; `$${` stands for a literal `${`, any other `$` for itself.
/// Values are taken as they are: a `${...}` inside one is not looked up again.
std::variant<std::string, reference_fault> resolve_references(std::string_view text, const environment& env);

} // namespace turnout::config
