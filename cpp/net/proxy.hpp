#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/http1.hpp"
#include "net/endpoint.hpp"

namespace turnout::net {

/// An HTTP proxy that opens tunnels to endpoints with TLS.
struct proxy_options {
    std::string host;
    std::uint16_t port = 80;
    std::string credentials;          ///< `user:password`; empty: none are sent
    std::vector<std::string> without; ///< `*`, or hosts and domains in lower case, each maybe with `:port`
};

/// Whether the proxy is used for `to`: it has TLS, and no entry of `without` is its host or a domain that it is in.
bool is_proxied(const proxy_options& proxy, const endpoint& to);

/// Asking a proxy for a tunnel, without I/O.
class tunnel_request {
public:
    enum class state {
        waiting, ///< for more of the answer
        open,    ///< what follows is between us and the endpoint
        refused, ///< `problem` says why
    };

    tunnel_request(const proxy_options& proxy, const endpoint& to);

    /// What to send; drop from its front what has left.
    std::string_view& unsent() { return unsent_; }
    state take(std::string_view bytes);
    /// The proxy closed.
    state closed();
    /// One sentence, with nothing from the credentials in it.
    const std::string& problem() const { return problem_; }

private:
    state refuse(std::string why);

    std::string text_;
    std::string_view unsent_;
    codec::http1::parser answer_{codec::http1::message_kind::response};
    std::string problem_;
};

} // namespace turnout::net
