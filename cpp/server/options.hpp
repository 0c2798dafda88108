#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace turnout::server {

enum class command { serve, validate };

/// The command line, parsed.
struct options {
    command run = command::serve;
    std::string config_file;
    std::optional<std::string> host;
    std::optional<std::uint16_t> port;
    std::optional<unsigned> workers;
    std::optional<std::uint64_t> seed;
    std::string data = "turnout-data"; ///< directory; made if it is missing
    bool no_data = false;              ///< keep nothing on disk
    bool test_control = false;
};

/// What to do, or the exit code when everything is said already (help, version, wrong usage).
struct parsed_options {
    options chosen;
    std::optional<int> exit_code;
};

parsed_options parse_options(int argc, const char* const* argv);

} // namespace turnout::server
