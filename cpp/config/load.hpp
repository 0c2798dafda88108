#pragma once

#include <filesystem>
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

/// What the shell knows of the files that a document names, since this module knows neither them nor TLS.
struct file_checks {
    std::filesystem::path folder; ///< where relative paths count from; empty = the working directory
    /// What is wrong with a certificate and its key; the path of each problem is the member's name. Empty = not checked.
    std::function<problems(const tls_files&)> tls{};
    /// What is wrong with a file of authorities. Empty = not checked.
    std::function<std::optional<std::string>(const std::string&)> authorities{};
};

/// Parses YAML 1.2 (which JSON is a subset of) and checks everything; either a whole configuration or every problem.
std::variant<configuration, problems> load(std::string_view text, const environment& env,
                                           const file_checks& files = {});

} // namespace turnout::config
