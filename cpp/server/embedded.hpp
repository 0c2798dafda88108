#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "config/configuration.hpp"

namespace turnout::server {

struct embedded_options {
    std::optional<std::string> host;           ///< instead of `server.host`
    std::optional<std::uint16_t> port;         ///< instead of `server.port`, by default 4000; 0 = any
    std::optional<unsigned> workers;           ///< instead of `server.workers`, by default one per core
    bool test_control = false;                 ///< time stands still until moved; `/test/*` is served
    std::optional<std::uint64_t> seed;         ///< of the draws; random if absent
    std::optional<std::filesystem::path> data; ///< directory of `log.db`; without it the log stays in memory
    std::function<void(std::string_view)> log; ///< takes whole lines, from any worker's thread; may be empty
};

/// A whole gateway in this process: its threads, its listener, its state. Every member may be called from any thread
/// but the gateway's own.
class embedded_gateway {
public:
    embedded_gateway(config::configuration settings, embedded_options options);
    /// Stops if still running.
    ~embedded_gateway();
    embedded_gateway(const embedded_gateway&) = delete;
    embedded_gateway& operator=(const embedded_gateway&) = delete;

    /// Binds and starts the workers. Throws std::runtime_error naming the address that cannot be bound or the file of
    /// the operation log that cannot be used, or if it was started before.
    void start();
    /// Finishes what is under way, at most `shutdownGraceMs`, and ends the workers. Idempotent.
    void stop();
    /// Ends the grace of a `stop` that another thread is waiting for.
    void end_grace();

    /// The bound port; 0 before `start`.
    std::uint16_t port() const;
    std::string host() const;
    /// `http://127.0.0.1:4000`, or https with a certificate.
    std::string url() const;

    /// Reads the certificate's files again and shows what they hold to clients that come from now on; keeps the old one if
    /// they cannot be used. Says in one line for the log which of both it did. Only where `server.tls` is set.
    std::string reload_certificate();

    /// Test control; throws std::logic_error without `test_control`.
    /// `{"now_ms": int, "timers": [{"kind", "request", "due_ms"}]}`, sorted by due time.
    std::string timers_json();
    /// Waits until a timer of `until_armed` is armed, moves time by `ms` firing what comes due, and returns the new time
    /// in milliseconds when the loops are idle. Throws std::invalid_argument on an unknown kind.
    std::int64_t advance(std::int64_t ms, std::optional<std::string> until_armed);
    void seed(std::uint64_t value);

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace turnout::server
