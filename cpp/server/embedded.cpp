#include "server/embedded.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "admin/admin_service.hpp"
#include "config/warnings.hpp"
#include "gateway/worker.hpp"
#include "journal/operation_id.hpp"
#include "journal/ring_rows.hpp"
#include "journal/sqlite_rows.hpp"
#include "net/descriptors.hpp"
#include "net/endpoint.hpp"
#include "net/port_probe.hpp"
#include "server/certificate.hpp"
#include "server/connection_limit.hpp"
#include "server/test_control.hpp"
#include "server/time_conductor.hpp"
#include "state/memory_store.hpp"

namespace turnout::server {
namespace {

unsigned worker_count(unsigned configured) {
    return configured != 0 ? configured : std::max(1U, std::thread::hardware_concurrency());
}

std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32U) | device();
}

} // namespace

struct embedded_gateway::impl {
    impl(config::configuration settings, embedded_options o)
        : options(std::move(o)),
          shared(std::move(settings)),
          time(options.test_control ? net::clock::mode::manual : net::clock::mode::real) {}

    void start();
    void stop();
    net::server_tls_context certificate() const;
    std::string reload_certificate();
    std::unique_ptr<journal::row_store> make_rows() const;
    time_conductor& conductor();
    template <class T>
    T wait_for(std::future<T> f);

    embedded_options options;
    gateway::shared_context shared;
    net::clock time;
    state::memory_store store;
    std::mutex mutex;                    ///< start and stop
    std::optional<journal::log> journal; ///< closed before the workers go
    std::optional<admin::admin_service> admin;
    test_control control;
    std::vector<std::unique_ptr<gateway::worker>> workers;
    std::vector<std::thread> threads;
    std::unique_ptr<time_conductor> conducts;
    std::atomic<std::uint16_t> port{0};
    bool started = false;
    std::atomic<bool> stopped{false};
};

void embedded_gateway::impl::start() {
    const std::scoped_lock lock(mutex);
    if (started) throw std::runtime_error("the gateway was started before");
    const auto& s = shared.settings.server;
    const auto count = worker_count(options.workers.value_or(s.workers.value_or(0)));
    const auto limit =
        choose_connection_limit(s.max_connections, net::descriptor_limit(), net::open_descriptors(), count);
    if (limit.connections == 0) throw std::runtime_error(limit.warning);
    if (options.log && !limit.warning.empty()) options.log(limit.warning);
    if (options.log)
        for (const auto& w : config::warnings(shared.settings)) options.log("turnout: " + w.path + ": " + w.message);
    net::listener_options where;
    where.host = options.host.value_or(s.host);
    where.port = options.port.value_or(s.port.value_or(config::default_port));
    where.request_body_bytes = s.request_body_bytes;
    where.client_write_stall = s.client_write_stall;
    where.capacity = std::make_shared<net::server_capacity>(limit.connections, s.request_memory_bytes);
    if (s.tls) where.tls = certificate();
    const auto problem = net::probe_port(where.host, where.port);
    if (!problem.empty())
        throw std::runtime_error("cannot listen on " + where.host + ":" + std::to_string(where.port) + ": " + problem);
    const auto seed = options.seed.value_or(random_seed());
    journal.emplace(make_rows(), options.log);
    admin.emplace(*journal);
    std::vector<gateway::extra_routes*> extra{&*admin};
    if (options.test_control) extra.push_back(&control);
    for (unsigned i = 0; i < count; ++i) {
        workers.push_back(
            std::make_unique<gateway::worker>(shared, store, time, where, seed + i, options.log, extra, &*journal));
        where.port = workers.back()->port();
    }
    if (options.test_control) {
        std::vector<net::loop*> loops;
        for (const auto& w : workers) loops.push_back(&w->on());
        conducts = std::make_unique<time_conductor>(time, std::move(loops));
        control.serve(*conducts, time, [this](std::uint64_t value) {
            for (const auto& w : workers) w->seed(value);
        });
    }
    port = where.port;
    started = true;
    for (const auto& w : workers) threads.emplace_back([&w = *w] { w.run(); });
}

net::server_tls_context embedded_gateway::impl::certificate() const {
    auto made = load_certificate(shared.settings.server.tls.value());
    if (auto* context = std::get_if<net::server_tls_context>(&made)) return std::move(*context);
    std::string all;
    for (const auto& p : std::get<config::problems>(made))
        all.append(all.empty() ? "" : "; ").append("server.tls." + p.path + ": " + p.message);
    throw std::runtime_error(all);
}

std::string embedded_gateway::impl::reload_certificate() {
    const std::scoped_lock lock(mutex);
    if (!shared.settings.server.tls) return "SIGHUP: without server.tls there is no certificate to read again";
    try {
        const auto fresh = certificate();
        for (const auto& w : workers) w->use_certificate(fresh);
    } catch (const std::runtime_error& e) {
        return std::string("the certificate was not replaced: ") + e.what();
    }
    return "the certificate was replaced";
}

std::unique_ptr<journal::row_store> embedded_gateway::impl::make_rows() const {
    if (options.data) return std::make_unique<journal::sqlite_rows>(*options.data, time.wall());
    return std::make_unique<journal::ring_rows>(journal::first_number(time.wall()));
}

void embedded_gateway::impl::stop() {
    const std::scoped_lock lock(mutex);
    if (!started || stopped) return;
    time.let_run();
    for (const auto& w : workers) w->stop(shared.settings.server.shutdown_grace);
    for (auto& t : threads) t.join();
    journal->close();
    stopped = true;
}

time_conductor& embedded_gateway::impl::conductor() {
    if (!conducts) throw std::logic_error("the gateway was not started with test control");
    if (stopped) throw std::logic_error("the gateway has stopped");
    return *conducts;
}

/// Loops that have stopped answer nobody any more.
template <class T>
T embedded_gateway::impl::wait_for(std::future<T> f) {
    while (f.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
        if (stopped) throw std::logic_error("the gateway has stopped");
    return f.get();
}

embedded_gateway::embedded_gateway(config::configuration settings, embedded_options options)
    : impl_(std::make_unique<impl>(std::move(settings), std::move(options))) {}

embedded_gateway::~embedded_gateway() { stop(); }

void embedded_gateway::start() { impl_->start(); }

void embedded_gateway::stop() { impl_->stop(); }

// Without the lock, which `stop` holds meanwhile; the workers do not change once the gateway runs.
void embedded_gateway::end_grace() {
    for (const auto& w : impl_->workers) w->end_grace();
}

std::uint16_t embedded_gateway::port() const { return impl_->port; }

std::string embedded_gateway::host() const { return impl_->options.host.value_or(impl_->shared.settings.server.host); }

std::string embedded_gateway::url() const {
    return (impl_->shared.settings.server.tls ? "https://" : "http://") + net::with_port(host(), port());
}

std::string embedded_gateway::reload_certificate() { return impl_->reload_certificate(); }

std::string embedded_gateway::timers_json() {
    auto promise = std::make_shared<std::promise<std::string>>();
    auto future = promise->get_future();
    impl_->conductor().snapshot([promise, time = &impl_->time](const std::vector<net::armed_timer>& all) {
        promise->set_value(server::timers_json(*time, all));
    });
    return impl_->wait_for(std::move(future));
}

std::int64_t embedded_gateway::advance(std::int64_t ms, std::optional<std::string> until_armed) {
    if (ms < 0) throw std::invalid_argument("ms must be 0 or more");
    std::optional<net::timer_kind> kind;
    if (until_armed && !(kind = net::timer_kind_from(*until_armed)))
        throw std::invalid_argument("until_armed must be the kind of a timer");
    auto promise = std::make_shared<std::promise<void>>();
    auto future = promise->get_future();
    impl_->conductor().advance(base::milliseconds(ms), kind, [promise] { promise->set_value(); });
    impl_->wait_for(std::move(future));
    return to_ms(impl_->time.now());
}

void embedded_gateway::seed(std::uint64_t value) {
    impl_->conductor();
    for (const auto& w : impl_->workers) w->seed(value);
}

} // namespace turnout::server
