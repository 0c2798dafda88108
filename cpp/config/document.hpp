#pragma once

#include <string_view>
#include <variant>

#include <yaml-cpp/yaml.h>

#include "config/load.hpp"

namespace turnout::config {

/// Parses one YAML or JSON document whose top is a map. Faults tell where, never what the text says.
std::variant<YAML::Node, problem> parse_document(std::string_view text);

} // namespace turnout::config
