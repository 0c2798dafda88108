#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/extra_routes.hpp"
#include "journal/log.hpp"

namespace turnout::admin {

/// `GET /admin/logs` and `GET /admin/logs/{id}`, for the master key. The log's thread reads and formats; the worker only
/// sends. Must outlive the workers; the log must be closed before they go.
class admin_service final : public gateway::extra_routes {
public:
    explicit admin_service(journal::log& log) : log_(log) {}

    bool owns(std::string_view path) const override;
    std::optional<net::refusal> check_head(gateway::worker_context& worker, const codec::http1::head& head,
                                           std::string_view path) override;
    void on_request(gateway::worker_context& worker, const net::exchange_ptr& x, std::string_view path) override;

private:
    /// What a read found, as an answer.
    using answer_maker = std::function<net::refusal(const journal::page&)>;

    static journal::log::read_done answer_later(net::loop& on, const net::exchange_ptr& x, std::string request_id,
                                                answer_maker make);

    journal::log& log_;
};

} // namespace turnout::admin
