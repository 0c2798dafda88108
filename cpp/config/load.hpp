#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/configuration.hpp"

namespace turnout::config {

/// One fault of a configuration document.
struct problem {
    std::string path;    ///< e.g. `deployments[1].weight`
    std::string message; ///< what it wants, e.g. `must be an integer from 0 to 4294967295`; never a secret
};

using problems = std::vector<problem>;

/// Looks up `${NAME}` references: the environment in the shell, a table in tests.
using environment = std::function<std::optional<std::string>(const std::string&)>;

/// Parses YAML 1.2 (which JSON is a subset of) and checks everything; either a whole configuration or every problem.
std::variant<configuration, problems> load(std::string_view text, const environment& env);

} // namespace turnout::config
