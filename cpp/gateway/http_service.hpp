#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/worker_context.hpp"
#include "net/exchange.hpp"

namespace turnout::gateway {

/// Routes that a build adds to the gateway's own, such as the test control.
class extra_routes {
public:
    virtual bool owns(std::string_view path) const = 0;
    virtual void on_request(const net::exchange_ptr& x, std::string_view path) = 0;

protected:
    ~extra_routes() = default;
};

/// Finds out what a request wants, checks its key and its body, and answers or hands it on.
class http_service final : public net::request_handler {
public:
    /// `ready` says whether `/health/ready` is 200.
    http_service(worker_context& worker, const std::atomic<bool>& ready, extra_routes* extra)
        : worker_(worker), ready_(ready), extra_(extra) {}

    std::optional<net::refusal> check_head(const codec::http1::head& head,
                                           std::optional<std::uint64_t> content_length) override;
    net::refusal body_too_large(const codec::http1::head& head) override;
    net::refusal malformed(codec::http1::problem_kind kind, std::string_view text) override;
    void on_request(const net::exchange_ptr& x) override;

private:
    void answer_chat(const net::exchange_ptr& x);
    void answer_models(const net::exchange_ptr& x, std::string_view path);
    void answer_health(const net::exchange_ptr& x, std::string_view path);

    worker_context& worker_;
    const std::atomic<bool>& ready_;
    extra_routes* extra_;
};

} // namespace turnout::gateway
