#include "net/connector.hpp"

#include <utility>

#include <boost/asio/ip/address.hpp>

namespace turnout::net {
namespace {

using base::failure_origin;
using boost::asio::ip::tcp;

} // namespace

SSL_CTX* connecting::tls_context() {
    if (!tls_) tls_ = make_client_context();
    return tls_.get();
}

connector::connector(connecting& shared, endpoint to, connector_user& user)
    : shared_(shared),
      to_(std::move(to)),
      user_(&user),
      stream_(shared.on().context()),
      slow_([](void* c) { static_cast<connector*>(c)->on_slow(); }, this) {}

void connector::start() {
    if (phase_ != phase::fresh) return;
    boost::system::error_code not_an_address;
    const auto address = boost::asio::ip::make_address(to_.host, not_an_address);
    if (!not_an_address) {
        on_resolved({&address, 1});
        return;
    }
    phase_ = phase::resolving;
    shared_.names().resolve(to_.host, *this);
}

void connector::on_resolved(std::span<const boost::asio::ip::address> addresses) {
    addresses_.assign(addresses.begin(), addresses.end());
    try_next_address();
}

void connector::on_unresolved(std::string_view why) {
    const connector_ptr self(this);
    if (auto* user = end()) user->on_unreached(failure_origin::connect_failed, why);
}

void connector::cancel() { end(); }

connector_user* connector::end() {
    const connector_ptr self(this);
    phase_ = phase::over;
    slow_.cancel();
    shared_.names().cancel(*this);
    stream_.close();
    return std::exchange(user_, nullptr);
}

void connector::try_next_address() {
    const connector_ptr self(this);
    if (tried_ == addresses_.size()) {
        if (auto* user = end()) user->on_unreached(last_origin_, last_problem_);
        return;
    }
    const tcp::endpoint address(addresses_[tried_++], to_.port);
    phase_ = phase::connecting;
    stream_.close();
    stream_ = stream(shared_.on().context());
    shared_.on().timers().arm(slow_, timer_kind::connect, shared_.options().connect, shared_.on().now());
    stream_.socket().async_connect(address, [self, at = tried_](const boost::system::error_code& e) {
        if (self->phase_ != phase::connecting || self->tried_ != at) return;
        if (e)
            self->address_failed(failure_origin::connect_failed, "the connection failed: " + e.message());
        else
            self->secure();
    });
}

void connector::address_failed(failure_origin origin, std::string text) {
    last_origin_ = origin;
    last_problem_ = std::move(text);
    try_next_address();
}

void connector::on_slow() {
    const auto limit = std::chrono::duration_cast<base::milliseconds>(shared_.options().connect).count();
    const bool secures = phase_ == phase::handshaking;
    address_failed(secures ? failure_origin::tls_failed : failure_origin::connect_failed,
                   std::string(secures ? "the TLS handshake" : "the connection") + " was not complete within "
                       + std::to_string(limit) + " ms");
}

void connector::secure() {
    stream_.prepare();
    if (!to_.tls) {
        reached();
        return;
    }
    auto session = make_client_session(shared_.tls_context(), stream_.socket().native_handle(), to_.host);
    if (!session) {
        address_failed(failure_origin::tls_failed, "no TLS session could be made");
        return;
    }
    stream_.secure_with(std::move(session));
    phase_ = phase::handshaking;
    handshake();
}

void connector::handshake() {
    const auto outcome = stream_.handshake();
    switch (outcome.status) {
    case io_status::ok: reached(); return;
    case io_status::wait_read:
    case io_status::wait_write:
        stream_.socket().async_wait(outcome.status == io_status::wait_read ? tcp_socket::wait_read
                                                                           : tcp_socket::wait_write,
                                    [self = connector_ptr(this), at = tried_](const boost::system::error_code& e) {
                                        if (!e && self->phase_ == phase::handshaking && self->tried_ == at)
                                            self->handshake();
                                    });
        return;
    case io_status::eof:
    case io_status::error: address_failed(failure_origin::tls_failed, stream_.handshake_failure()); return;
    }
}

void connector::reached() {
    const connector_ptr self(this);
    if (tried_ > 1) shared_.names().prefer(to_.host, addresses_[tried_ - 1]);
    auto connected = std::move(stream_);
    stream_ = stream(shared_.on().context());
    if (auto* user = end()) user->on_reached(std::move(connected));
}

} // namespace turnout::net
