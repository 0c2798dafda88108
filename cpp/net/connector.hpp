#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/address.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "base/failure_report.hpp"
#include "net/resolver.hpp"
#include "net/stream.hpp"
#include "net/timers.hpp"
#include "net/tls_client.hpp"
#include "net/upstream.hpp"

namespace turnout::net {

/// What the connectors of one loop share.
class connecting {
public:
    /// Throws std::runtime_error if the file of authorities cannot be used.
    connecting(loop& l, upstream_options options);

    loop& on() const { return loop_; }
    const upstream_options& options() const { return options_; }
    resolver& names() { return names_; }
    /// The proxy for `to`; null if there is none.
    const proxy_options* proxy_for(const endpoint& to) const;
    tls_client& tls();

private:
    loop& loop_;
    upstream_options options_;
    resolver names_;
    std::optional<tls_client> tls_;
};

/// Told how reaching an upstream went: once, and one of these.
class connector_user {
public:
    virtual void on_reached(stream&& s) = 0;
    /// `origin` is connect_failed or tls_failed.
    virtual void on_unreached(base::failure_origin origin, std::string_view detail) = 0;

protected:
    ~connector_user() = default;
};

/// Reaches one upstream once: resolves its name, or that of the proxy before it, then tries the addresses in order until
/// one of them is connected and secured. Each may take `connectMs`.
class connector final : public boost::intrusive_ref_counter<connector, boost::thread_unsafe_counter>,
                        private resolver_user {
public:
    connector(connecting& shared, endpoint to, connector_user& user);

    void start();
    /// The user hears nothing more.
    void cancel();

private:
    enum class phase { fresh, resolving, connecting, tunnelling, handshaking, over };

    void on_resolved(std::span<const boost::asio::ip::address> addresses) override;
    void on_unresolved(std::string_view why) override;
    void try_next_address();
    void on_connected();
    void tunnel();
    void secure();
    void handshake();
    void wait(io_status readiness, void (connector::*next)());
    /// Of what a sentence speaks: the host itself, or the proxy before it.
    std::string words(std::string_view of_host, std::string_view of_proxy) const;
    void reached();
    void address_failed(base::failure_origin origin, std::string text);
    void on_slow();
    connector_user* end();

    connecting& shared_;
    endpoint to_;
    connector_user* user_;
    const proxy_options* proxy_; ///< null: none
    std::optional<tunnel_request> tunnel_;
    stream stream_;
    std::vector<boost::asio::ip::address> addresses_;
    std::size_t tried_ = 0; ///< addresses so far; tells a late completion from that of the address under way
    base::failure_origin last_origin_ = base::failure_origin::connect_failed;
    std::string last_problem_;
    phase phase_ = phase::fresh;
    timer slow_;
};

using connector_ptr = boost::intrusive_ptr<connector>;

} // namespace turnout::net
