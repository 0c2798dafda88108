#include "server/options.hpp"

#include <CLI/CLI.hpp>

namespace turnout::server {
namespace {

// CLI11's code for wrong usage is not what shells expect.
constexpr int wrong_usage = 2;

void add_serve(CLI::App& app, options& o) {
    auto* serve = app.add_subcommand("serve", "Run the gateway");
    serve->add_option("-c,--config", o.config_file, "Configuration file, YAML or JSON")->required();
    serve->add_option("--host", o.host, "Listen on this address instead of server.host");
    serve->add_option("--port", o.port, "Listen on this port instead of server.port; 0 takes a free one");
    serve->add_option("--workers", o.workers, "Threads instead of server.workers; 0 = one per core")
        ->check(CLI::Range(0U, 1024U));
    serve->add_option("--seed", o.seed, "Seed of the weighted draws; random if not given");
    auto* data = serve->add_option("--data", o.data, "Directory of the operation log, made if it is missing")
                     ->capture_default_str()
                     ->check([](const std::string& path) {
                         return path.empty() ? std::string("must not be empty") : std::string();
                     });
    serve->add_flag("--no-data", o.no_data, "Keep the operation log in memory only")->excludes(data);
    serve->add_flag("--test-control", o.test_control,
                    "Serve /test/*: time stands still until a test moves it (loopback only)");
    serve->callback([&o] { o.run = command::serve; });
}

void add_validate(CLI::App& app, options& o) {
    auto* validate = app.add_subcommand("validate", "Check a configuration file and list every problem");
    validate->add_option("-c,--config", o.config_file, "Configuration file, YAML or JSON")->required();
    validate->callback([&o] { o.run = command::validate; });
}

} // namespace

parsed_options parse_options(int argc, const char* const* argv) {
    parsed_options p;
    CLI::App app("Turnout, an AI gateway: routes each request to a deployment that answers", "turnout");
    app.set_version_flag("--version", "turnout " TURNOUT_VERSION);
    app.require_subcommand(1);
    add_serve(app, p.chosen);
    add_validate(app, p.chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const int code = app.exit(e);
        p.exit_code = code == 0 ? 0 : wrong_usage;
    }
    return p;
}

} // namespace turnout::server
