#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/extra_routes.hpp"
#include "gateway/served_contract.hpp"
#include "gateway/worker_context.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// Finds out what a request wants, checks its key and its body, and answers or hands it on.
class http_service final : public net::request_handler {
public:
    /// `ready` says whether `/health/ready` is 200.
    http_service(worker_context& worker, const std::atomic<bool>& ready, std::vector<extra_routes*> extra)
        : worker_(worker), ready_(ready), extra_(std::move(extra)) {}

    std::optional<net::refusal> check_head(const codec::http1::head& head,
                                           std::optional<std::uint64_t> content_length) override;
    net::refusal body_too_large(const codec::http1::head& head) override;
    std::optional<net::refusal> overloaded(net::shortage what, const codec::http1::head& head) override;
    net::refusal too_slow(const codec::http1::head* head) override;
    net::refusal malformed(codec::http1::problem_kind kind, std::string_view text,
                           const codec::http1::head* head) override;
    void on_request(const net::exchange_ptr& x) override;

private:
    std::optional<net::refusal> check_handshake(const codec::http1::head& head);
    net::refusal refuse_at(const codec::http1::head* head, const codec::public_error& e);
    void answer_models(const net::exchange_ptr& x, std::string_view path);
    void answer_deployments(const net::exchange_ptr& x, std::string_view path);
    void answer_health(const net::exchange_ptr& x, std::string_view path);

    worker_context& worker_;
    const std::atomic<bool>& ready_;
    const std::vector<extra_routes*> extra_;
};

} // namespace turnout::gateway
