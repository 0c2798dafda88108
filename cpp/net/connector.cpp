#include "net/connector.hpp"

#include <utility>

#include <boost/asio/ip/address.hpp>

namespace turnout::net {
namespace {

using base::failure_origin;
using boost::asio::ip::tcp;

} // namespace

connecting::connecting(loop& l, upstream_options options)
    : loop_(l), options_(std::move(options)), names_(l, options_.name_servers) {
    if (!options_.ca_file.empty()) tls_.emplace(options_.ca_file);
}

tls_client& connecting::tls() {
    if (!tls_) tls_.emplace(options_.ca_file);
    return *tls_;
}

const proxy_options* connecting::proxy_for(const endpoint& to) const {
    return options_.proxy && is_proxied(*options_.proxy, to) ? &*options_.proxy : nullptr;
}

connector::connector(connecting& shared, endpoint to, connector_user& user)
    : shared_(shared),
      to_(std::move(to)),
      user_(&user),
      proxy_(shared.proxy_for(to_)),
      stream_(shared.on().context()),
      slow_([](void* c) { static_cast<connector*>(c)->on_slow(); }, this) {}

void connector::start() {
    if (phase_ != phase::fresh) return;
    boost::system::error_code not_an_address;
    const auto& host = proxy_ != nullptr ? proxy_->host : to_.host;
    const auto address = boost::asio::ip::make_address(host, not_an_address);
    if (!not_an_address) {
        on_resolved({&address, 1});
        return;
    }
    phase_ = phase::resolving;
    shared_.names().resolve(host, *this);
}

void connector::on_resolved(std::span<const boost::asio::ip::address> addresses) {
    addresses_.assign(addresses.begin(), addresses.end());
    try_next_address();
}

void connector::on_unresolved(std::string_view why) {
    const connector_ptr self(this);
    const auto text = words("the host name", "the proxy's host name") + " was not resolved: " + std::string(why);
    if (auto* user = end()) user->on_unreached(failure_origin::connect_failed, text);
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
    const tcp::endpoint address(addresses_[tried_++], proxy_ != nullptr ? proxy_->port : to_.port);
    phase_ = phase::connecting;
    stream_.close();
    stream_ = stream(shared_.on().context());
    shared_.on().timers().arm(slow_, timer_kind::connect, shared_.options().connect, shared_.on().now());
    stream_.socket().async_connect(address, [self, at = tried_](const boost::system::error_code& e) {
        if (self->phase_ != phase::connecting || self->tried_ != at) return;
        if (e)
            self->address_failed(failure_origin::connect_failed,
                                 self->words("the connection", "the connection to the proxy")
                                     + " failed: " + e.message());
        else
            self->on_connected();
    });
}

void connector::address_failed(failure_origin origin, std::string text) {
    last_origin_ = origin;
    last_problem_ = std::move(text);
    try_next_address();
}

std::string connector::words(std::string_view of_host, std::string_view of_proxy) const {
    return std::string(proxy_ != nullptr ? of_proxy : of_host);
}

void connector::on_slow() {
    const auto limit = std::chrono::duration_cast<base::milliseconds>(shared_.options().connect).count();
    const auto late = " within " + std::to_string(limit) + " ms";
    switch (phase_) {
    case phase::fresh:
    case phase::resolving:
    case phase::over: return;
    case phase::connecting:
        address_failed(failure_origin::connect_failed,
                       words("the connection", "the connection to the proxy") + " was not made" + late);
        return;
    case phase::tunnelling:
        address_failed(failure_origin::connect_failed, "the proxy did not open the tunnel" + late);
        return;
    case phase::handshaking:
        address_failed(failure_origin::tls_failed, "the TLS handshake was not complete" + late);
        return;
    }
}

void connector::on_connected() {
    stream_.prepare();
    if (proxy_ != nullptr) {
        phase_ = phase::tunnelling;
        tunnel_.emplace(*proxy_, to_);
        tunnel();
    } else if (to_.tls) {
        secure();
    } else {
        reached();
    }
}

void connector::wait(io_status readiness, void (connector::*next)()) {
    stream_.socket().async_wait(
        readiness == io_status::wait_write ? tcp_socket::wait_write : tcp_socket::wait_read,
        [self = connector_ptr(this), next, at = tried_, in = phase_](const boost::system::error_code& e) {
            if (!e && self->phase_ == in && self->tried_ == at) (*self.*next)();
        });
}

void connector::tunnel() {
    auto& unsent = tunnel_->unsent();
    while (!unsent.empty()) {
        const iovec piece{const_cast<char*>(unsent.data()), unsent.size()};
        const auto outcome = stream_.write({&piece, 1});
        if (outcome.status == io_status::wait_write) {
            wait(outcome.status, &connector::tunnel);
            return;
        }
        if (outcome.status != io_status::ok) break; // the read side says what is wrong
        unsent.remove_prefix(outcome.bytes);
    }
    const auto buffer = shared_.on().scratch();
    const auto outcome = stream_.read(buffer);
    if (outcome.status == io_status::wait_read) {
        wait(outcome.status, &connector::tunnel);
        return;
    }
    const auto state =
        outcome.status == io_status::ok ? tunnel_->take({buffer.data(), outcome.bytes}) : tunnel_->closed();
    switch (state) {
    case tunnel_request::state::waiting: wait(io_status::wait_read, &connector::tunnel); return;
    case tunnel_request::state::open: secure(); return;
    case tunnel_request::state::refused: address_failed(failure_origin::connect_failed, tunnel_->problem()); return;
    }
}

void connector::secure() {
    auto session = shared_.tls().open(stream_.socket().native_handle(), to_.host, to_.port);
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
    case io_status::ok:
        shared_.tls().on_handshake(stream_.tls());
        reached();
        return;
    case io_status::wait_read:
    case io_status::wait_write: wait(outcome.status, &connector::handshake); return;
    case io_status::eof:
    case io_status::error: address_failed(failure_origin::tls_failed, handshake_problem(stream_.tls())); return;
    }
}

void connector::reached() {
    const connector_ptr self(this);
    if (tried_ > 1) shared_.names().prefer(proxy_ != nullptr ? proxy_->host : to_.host, addresses_[tried_ - 1]);
    stream_.forget_waits();
    auto connected = std::move(stream_);
    stream_ = stream(shared_.on().context());
    if (auto* user = end()) user->on_reached(std::move(connected));
}

} // namespace turnout::net
