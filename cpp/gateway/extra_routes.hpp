#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gateway/worker_context.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// Routes that a build adds to the gateway's own, such as the test control. One object may serve all workers.
class extra_routes {
public:
    virtual bool owns(std::string_view path) const = 0;
    /// Before the body is read: nothing to go on, or the answer.
    virtual std::optional<net::refusal> check_head(worker_context& /*worker*/, const codec::http1::head& /*head*/,
                                                   std::string_view /*path*/) {
        return std::nullopt;
    }
    /// Answers on this worker's loop, now or later.
    virtual void on_request(worker_context& worker, const net::exchange_ptr& x, std::string_view path) = 0;

protected:
    ~extra_routes() = default;
};

/// The first that owns a path has it; null if none does.
inline extra_routes* owner_of(const std::vector<extra_routes*>& all, std::string_view path) {
    for (auto* each : all)
        if (each->owns(path)) return each;
    return nullptr;
}

} // namespace turnout::gateway
