#pragma once

#include <cstdint>
#include <functional>

#include "gateway/http_service.hpp"
#include "server/time_conductor.hpp"

namespace turnout::server {

/// `GET /test/timers`, `POST /test/advance`, `POST /test/seed`: a test moves the time of a running gateway.
class test_control final : public gateway::extra_routes {
public:
    /// `conductor` and `seed` must be set before the first request.
    void serve(time_conductor& conductor, const net::clock& time, std::function<void(std::uint64_t)> seed);

    bool owns(std::string_view path) const override { return path.starts_with("/test/"); }
    void on_request(gateway::worker_context& worker, const net::exchange_ptr& x, std::string_view path) override;

private:
    static void answer_later(net::loop& on, const net::exchange_ptr& x,
                             std::function<void(std::function<void(std::string)>)> work);

    time_conductor* conductor_ = nullptr;
    const net::clock* time_ = nullptr;
    std::function<void(std::uint64_t)> seed_;
};

} // namespace turnout::server
