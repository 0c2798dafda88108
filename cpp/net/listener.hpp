#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/time.hpp"
#include "net/exchange.hpp"
#include "net/loop.hpp"
#include "net/server_capacity.hpp"
#include "net/tls_server.hpp"

namespace turnout::net {

struct listener_options {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::size_t request_body_bytes = std::size_t{72} << 20U;
    base::milliseconds client_write_stall{120'000};
    server_tls_context tls; ///< null = plain HTTP
    /// Shared by all listeners of a process.
    std::shared_ptr<server_capacity> capacity = std::make_shared<server_capacity>();
};

/// Accepts clients on one loop and reads their requests. Several loops listen on one port (SO_REUSEPORT).
class listener {
public:
    /// Throws boost::system::system_error if the address cannot be bound.
    listener(loop& l, const listener_options& options, request_handler& handler);
    ~listener();

    std::uint16_t port() const;
    /// On the loop: clients that come from now on are shown this certificate.
    void use_certificate(server_tls_context tls);
    /// On the loop: accepts no more, closes connections without a request; the others close when answered. `done` is
    /// called on a later turn of the loop, once no connection is left.
    void drain(std::function<void()> done);
    /// On the loop: lets every observer answer a last time, then breaks every connection off.
    void end();
    /// On the loop: breaks every connection off now; observers hear that their client is gone.
    void break_off();

    struct impl;

private:
    std::shared_ptr<impl> impl_;
};

} // namespace turnout::net
