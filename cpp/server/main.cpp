#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <variant>

#include <pthread.h>

#include "config/host.hpp"
#include "config/open_access.hpp"
#include "config/warnings.hpp"
#include "gateway/deployment_table.hpp"
#include "net/descriptors.hpp"
#include "server/embedded.hpp"
#include "server/line_log.hpp"
#include "server/load_settings.hpp"
#include "server/options.hpp"

namespace {

using namespace turnout;

constexpr int failed = 1;
constexpr int bad_configuration = 2;

std::optional<config::configuration> load_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    // A directory opens like a file, and fails with the first byte.
    if (!file || (file.peek() != std::ifstream::traits_type::eof() && !(text << file.rdbuf())) || file.bad()) {
        std::cerr << "turnout: cannot read the configuration file " << path << ": "
                  << std::generic_category().message(errno) << '\n';
        return std::nullopt;
    }
    auto loaded = server::load_settings(text.view(), std::filesystem::path(path).parent_path());
    if (auto* c = std::get_if<config::configuration>(&loaded)) return std::move(*c);
    for (const auto& p : std::get<config::problems>(loaded)) std::cerr << p.path << ": " << p.message << '\n';
    return std::nullopt;
}

int validate(const config::configuration& c) {
    const gateway::deployment_table table(c);
    for (const auto& d : table.all())
        std::cout << d.public_id << "  " << d.settings.public_model << "  "
                  << (d.settings.label.empty() ? d.settings.id : d.settings.label)
                  << (d.settings.enabled ? "" : "  (disabled)") << '\n';
    for (const auto& w : config::warnings(c)) std::cerr << "turnout: " << w.path << ": " << w.message << '\n';
    std::cout << "turnout: the configuration is valid\n";
    return 0;
}

/// Signals are taken by `sigwait` on the main thread; block them before any other thread exists. Without a certificate
/// there is nothing to read again, so that a terminal that goes away ends the process as ever.
sigset_t block_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    return set;
}

/// A further signal ends the grace.
void stop(server::embedded_gateway& gateway, const sigset_t& signals) {
    std::atomic<bool> stopped{false};
    std::thread watch([&] {
        for (int received = 0; sigwait(&signals, &received) == 0 && received == SIGHUP;) {}
        if (!stopped) gateway.end_grace();
    });
    gateway.stop();
    stopped = true;
    pthread_kill(watch.native_handle(), SIGTERM); // it may still wait
    watch.join();
}

int serve(config::configuration settings, const server::options& o) {
    if (o.host) settings.server.host = *o.host;
    if (!config::is_listen_host(settings.server.host)) {
        std::cerr << "turnout: --host: must be an IP address or localhost\n";
        return bad_configuration;
    }
    if (o.test_control && !config::is_loopback_host(settings.server.host)) {
        std::cerr << "turnout: --test-control needs a loopback host\n";
        return bad_configuration;
    }
    if (const auto problem = config::check_open_access(settings)) {
        std::cerr << problem->path << ": " << problem->message << '\n';
        return bad_configuration;
    }
    const auto signals = block_signals();
    net::raise_descriptor_limit();
    server::line_log log;
    server::embedded_gateway gateway(std::move(settings),
                                     {.host = o.host,
                                      .port = o.port,
                                      .workers = o.workers,
                                      .test_control = o.test_control,
                                      .seed = o.seed,
                                      .data = o.no_data ? std::nullopt : std::optional<std::filesystem::path>(o.data),
                                      .log = [&log](std::string_view line) { log.write(line); }});
    gateway.start();
    std::cout << "turnout: listening on " << gateway.url() << std::endl;
    for (int received = 0; sigwait(&signals, &received) == 0 && received == SIGHUP;)
        log.write(gateway.reload_certificate());
    stop(gateway, signals);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const auto parsed = server::parse_options(argc, argv);
        if (parsed.exit_code) return *parsed.exit_code;
        auto settings = load_file(parsed.chosen.config_file);
        if (!settings) return bad_configuration;
        switch (parsed.chosen.run) {
        case server::command::validate: return validate(*settings);
        case server::command::serve: return serve(std::move(*settings), parsed.chosen);
        }
    } catch (const std::exception& e) {
        std::cerr << "turnout: " << e.what() << '\n';
        return failed;
    }
    return failed;
}
