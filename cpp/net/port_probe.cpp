#include "net/port_probe.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace turnout::net {

std::string probe_port(const std::string& host, std::uint16_t port) {
    using boost::asio::ip::tcp;
    boost::system::error_code e;
    const auto address = boost::asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, e);
    if (e) return "the host must be an IP address or localhost";
    boost::asio::io_context context;
    tcp::acceptor acceptor(context);
    const tcp::endpoint where(address, port);
    acceptor.open(where.protocol(), e);
    if (!e) acceptor.set_option(tcp::acceptor::reuse_address(true), e);
    if (!e) acceptor.bind(where, e);
    return e ? e.message() : std::string();
}

} // namespace turnout::net
