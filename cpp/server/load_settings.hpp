#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "config/load.hpp"

namespace turnout::server {

/// Checks a configuration with the environment of this process, and also the files that it names. `folder` is where
/// their relative paths count from; empty = the working directory.
std::variant<config::configuration, config::problems> load_settings(std::string_view text,
                                                                    const std::filesystem::path& folder);

} // namespace turnout::server
