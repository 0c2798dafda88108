#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "fake_upstreams/fast/script.hpp"

namespace turnout::fast {

/// What every client of streams is told.
struct stream_options {
    explicit stream_options(CLI::App& app) {
        app.add_option("--port", port, "where to connect")->required();
        app.add_option("--protocol", protocol_name, "what to speak")
            ->check(CLI::IsMember({"chat", "messages", "responses"}))
            ->capture_default_str();
        app.add_option("--model", model, "the model that requests name")->required();
        app.add_option("--named", named, "the model that answers must name")->required();
    }

    [[nodiscard]] protocol spoken() const { return protocol_named(protocol_name).value(); }

    std::uint16_t port = 0;
    std::string protocol_name = "chat";
    std::string model;
    std::string named;
};

} // namespace turnout::fast
