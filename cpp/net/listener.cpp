#include "net/listener.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <sys/socket.h>

#include "net/server_bounds.hpp"
#include "net/server_connection.hpp"
#include "net/waitable_timer.hpp"

namespace turnout::net {

using boost::asio::ip::tcp;
using acceptor_type = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;
using reuse_port = boost::asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

namespace {

// How long accepting rests when the process or the machine has nothing left for another client.
constexpr auto rest_period = std::chrono::milliseconds(100);

bool is_exhausted(const boost::system::error_code& e) {
    return e == boost::asio::error::no_descriptors || e == boost::system::errc::too_many_files_open_in_system
           || e == boost::asio::error::no_buffer_space || e == boost::asio::error::no_memory;
}

} // namespace

struct listener::impl : std::enable_shared_from_this<listener::impl> {
    impl(loop& l, const listener_options& options, request_handler& handler)
        : context{l, options, handler}, acceptor(l.context().get_executor()), rest(l.context()) {
        context.on_closed = [this] { on_closed(); };
    }

    void open() {
        const auto& o = context.options;
        const tcp::endpoint where(boost::asio::ip::make_address(o.host == "localhost" ? "127.0.0.1" : o.host), o.port);
        acceptor.open(where.protocol());
        acceptor.set_option(acceptor_type::reuse_address(true));
        acceptor.set_option(reuse_port(true));
        acceptor.bind(where);
        acceptor.listen(boost::asio::socket_base::max_listen_connections);
        acceptor.non_blocking(true);
    }

    void accept() {
        if (accepting || !acceptor.is_open() || context.surplus >= bounds::surplus_connections) return;
        accepting = true;
        acceptor.async_accept([self = shared_from_this()](const boost::system::error_code& e, tcp_socket socket) {
            self->accepting = false;
            if (!self->acceptor.is_open()) return;
            if (!e) self->add(std::move(socket));
            if (is_exhausted(e))
                self->accept_later();
            else
                self->accept();
        });
    }

    void add(tcp_socket&& socket) {
        const bool surplus = !context.options.capacity->add_connection();
        const boost::intrusive_ptr<server_connection> c(new server_connection(context, std::move(socket), surplus));
        connections.push_back(*c);
        c->start();
    }

    void on_closed() {
        if (!context.draining) {
            if (!resting) accept();
            return;
        }
        if (!connections.empty() || !on_drained) return;
        context.on.post(std::exchange(on_drained, nullptr));
    }

    void accept_later() {
        resting = true;
        rest.expires_after(rest_period);
        rest.async_wait([self = shared_from_this()](const boost::system::error_code&) {
            self->resting = false;
            self->accept();
        });
    }

    void close() {
        boost::system::error_code ignored;
        acceptor.close(ignored);
        rest.cancel();
    }

    template <class F>
    void for_each(F f) {
        for (auto it = connections.begin(); it != connections.end();) {
            const boost::intrusive_ptr<server_connection> c(&*it++);
            f(*c);
        }
    }

    server_context context;
    acceptor_type acceptor;
    waitable_timer rest;
    bool accepting = false;
    bool resting = false;
    std::function<void()> on_drained;
    boost::intrusive::list<server_connection, boost::intrusive::constant_time_size<false>> connections;
};

listener::listener(loop& l, const listener_options& options, request_handler& handler)
    : impl_(std::make_shared<impl>(l, options, handler)) {
    impl_->open();
    impl_->accept();
}

listener::~listener() = default;

std::uint16_t listener::port() const { return impl_->acceptor.local_endpoint().port(); }

void listener::use_certificate(server_tls_context tls) { impl_->context.options.tls = std::move(tls); }

void listener::drain(std::function<void()> done) {
    impl_->close();
    impl_->context.draining = true;
    impl_->on_drained = std::move(done);
    impl_->for_each([](server_connection& c) { c.drain(); });
    impl_->on_closed();
}

void listener::end() {
    impl_->close();
    impl_->for_each([](server_connection& c) { c.end_now(); });
}

void listener::break_off() {
    impl_->close();
    impl_->for_each([](server_connection& c) { c.break_off(); });
}

} // namespace turnout::net
