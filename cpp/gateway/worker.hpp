#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "gateway/http_service.hpp"
#include "gateway/worker_context.hpp"
#include "net/listener.hpp"

namespace turnout::gateway {

/// One thread's share of the gateway: loop, listener, upstream connections, chance.
class worker {
public:
    worker(const shared_context& shared, state::store& store, net::clock& time, const net::listener_options& where,
           std::uint64_t seed, std::function<void(std::string_view)> log, std::vector<extra_routes*> extra,
           journal::log* journal = nullptr);
    /// Breaks off what is under way. Not while `run` is running.
    ~worker();

    net::loop& on() { return loop_; }
    std::uint16_t port() const;
    /// Until everything has stopped.
    void run() { loop_.run(); }
    /// From any thread: accepts no more, finishes what is under way within `grace`, then ends `run`.
    void stop(base::milliseconds grace);
    /// From any thread: shows it to clients that come from now on.
    void use_certificate(net::server_tls_context tls);
    /// From any thread, after `stop`: ends the grace now.
    void end_grace();
    /// From any thread: starts the draws anew.
    void seed(std::uint64_t value);

private:
    net::loop loop_;
    net::upstream_client upstreams_;
    base::splitmix draws_;
    base::splitmix ids_;
    std::atomic<bool> ready_{true};
    worker_context context_;
    http_service service_;
    net::listener listener_;
    net::timer grace_;
    bool stopping_ = false;
};

} // namespace turnout::gateway
