#include "net/listener.hpp"

#include <sys/socket.h>

#include <utility>

#include <boost/asio/ip/address.hpp>

#include "net/server_connection.hpp"

namespace turnout::net {

using boost::asio::ip::tcp;
using acceptor_type = boost::asio::basic_socket_acceptor<tcp, boost::asio::io_context::executor_type>;
using reuse_port = boost::asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

struct listener::impl : std::enable_shared_from_this<listener::impl> {
    impl(loop& l, const listener_options& options, request_handler& handler)
        : context{l, options, handler, false, {}}, acceptor(l.context().get_executor()) {}

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
        acceptor.async_accept([self = shared_from_this()](const boost::system::error_code& e, tcp_socket socket) {
            if (!self->acceptor.is_open()) return;
            if (!e) {
                const boost::intrusive_ptr<server_connection> c(new server_connection(self->context, std::move(socket)));
                self->connections.push_back(*c);
                c->start();
            }
            self->accept();
        });
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
    bool drained = false;
    boost::intrusive::list<server_connection, boost::intrusive::constant_time_size<false>> connections;
};

listener::listener(loop& l, const listener_options& options, request_handler& handler)
    : impl_(std::make_shared<impl>(l, options, handler)) {
    impl_->open();
    impl_->accept();
}

listener::~listener() = default;

std::uint16_t listener::port() const { return impl_->acceptor.local_endpoint().port(); }

void listener::drain(std::function<void()> done) {
    boost::system::error_code ignored;
    impl_->acceptor.close(ignored);
    impl_->context.draining = true;
    impl_->context.on_closed = [self = impl_.get(), done = std::move(done)] {
        if (!self->connections.empty() || self->drained) return;
        self->drained = true;
        self->context.on.post(done);
    };
    impl_->for_each([](server_connection& c) { c.drain(); });
    impl_->context.on_closed();
}

void listener::break_off() {
    boost::system::error_code ignored;
    impl_->acceptor.close(ignored);
    impl_->for_each([](server_connection& c) { c.break_off(); });
}

} // namespace turnout::net
