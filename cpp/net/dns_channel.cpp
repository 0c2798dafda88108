#include "net/dns_channel.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

// Later releases call deprecated what Debian 12 has no other way for.
#define CARES_NO_DEPRECATED
#include <ares.h>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <netinet/in.h>
#include <sys/socket.h>

namespace turnout::net {
namespace {

using descriptor = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;
using boost::asio::ip::address;

// c-ares measures its deadlines on the machine's clock. Ours are on the process's; these never pass before them.
constexpr int no_deadline_ms = 3'600'000;

struct library {
    library() {
        if (ares_library_init(ARES_LIB_INIT_ALL) != ARES_SUCCESS) throw std::runtime_error("c-ares does not start");
    }
};

int family_number(address_family f) {
    switch (f) {
    case address_family::any: return AF_UNSPEC;
    case address_family::ipv4: return AF_INET;
    case address_family::ipv6: return AF_INET6;
    }
    return AF_UNSPEC;
}

address address_of(const sockaddr* from) {
    if (from->sa_family == AF_INET6) {
        sockaddr_in6 six{};
        std::memcpy(&six, from, sizeof six);
        boost::asio::ip::address_v6::bytes_type bytes{};
        std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
        return boost::asio::ip::address_v6(bytes, six.sin6_scope_id);
    }
    sockaddr_in four{};
    std::memcpy(&four, from, sizeof four);
    return boost::asio::ip::address_v4(ntohl(four.sin_addr.s_addr));
}

dns_answer read_addresses(const ares_addrinfo& info) {
    dns_answer answer;
    int ttl = 0;
    for (const auto* n = info.nodes; n != nullptr; n = n->ai_next) {
        ttl = answer.addresses.empty() ? n->ai_ttl : std::min(ttl, n->ai_ttl);
        answer.addresses.push_back(address_of(n->ai_addr));
    }
    for (const auto* c = info.cnames; c != nullptr; c = c->next) ttl = std::min(ttl, c->ttl);
    answer.ttl = std::chrono::seconds(std::max(ttl, 0));
    answer.what = answer.addresses.empty() ? dns_answer::kind::absent : dns_answer::kind::found;
    if (answer.addresses.empty()) answer.problem = "it has no address";
    return answer;
}

dns_answer read_status(int status) {
    switch (status) {
    case ARES_ENOTFOUND:
    case ARES_EBADNAME: return {dns_answer::kind::absent, {}, {}, "it does not exist"};
    case ARES_ENODATA: return {dns_answer::kind::absent, {}, {}, "it has no address"};
    default: return {dns_answer::kind::failed, {}, {}, {}}; // what c-ares says of a server alone misleads
    }
}

} // namespace

struct dns_channel::socket {
    explicit socket(loop& l, int number) : where(l.context().get_executor(), number) {}

    descriptor where;
    bool wants_read = false;
    bool wants_write = false;
    bool awaits_read = false;
    bool awaits_write = false;
    bool gone = false; ///< c-ares closes it
};

struct dns_channel::question {
    dns_channel& asked;
    answer_function answer;
};

std::unique_ptr<dns_channel> dns_channel::hosts_file(loop& l) {
    return std::unique_ptr<dns_channel>(new dns_channel(l, "f", {}));
}

std::unique_ptr<dns_channel> dns_channel::server(loop& l, const std::string& where) {
    return std::unique_ptr<dns_channel>(new dns_channel(l, "b", where));
}

std::vector<std::string> dns_channel::system_servers(loop& l) {
    const dns_channel asked(l, "b", {});
    std::vector<std::string> servers;
    ares_addr_port_node* first = nullptr;
    if (ares_get_servers_ports(asked.channel_, &first) != ARES_SUCCESS) return servers;
    for (const auto* n = first; n != nullptr; n = n->next) {
        const auto port = std::to_string(n->udp_port == 0 ? 53 : n->udp_port);
        if (n->family == AF_INET6) {
            boost::asio::ip::address_v6::bytes_type bytes{};
            std::memcpy(bytes.data(), &n->addr.addr6, bytes.size());
            servers.push_back("[" + boost::asio::ip::address_v6(bytes).to_string() + "]:" + port);
        } else {
            servers.push_back(boost::asio::ip::address_v4(ntohl(n->addr.addr4.s_addr)).to_string() + ":" + port);
        }
    }
    ares_free_data(first);
    return servers;
}

dns_channel::dns_channel(loop& l, const char* lookups, const std::string& where) : loop_(l) {
    static const library loaded;
    ares_options options{};
    options.timeout = no_deadline_ms;
    options.tries = 1;
    options.lookups = const_cast<char*>(lookups); // copied
    options.sock_state_cb = &dns_channel::on_socket;
    options.sock_state_cb_data = this;
    constexpr int given = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB;
    if (ares_init_options(&channel_, &options, given) != ARES_SUCCESS)
        throw std::runtime_error("c-ares gives no channel");
    if (!where.empty() && ares_set_servers_ports_csv(channel_, where.c_str()) != ARES_SUCCESS) {
        ares_destroy(channel_);
        throw std::runtime_error("c-ares does not take the DNS server " + where);
    }
}

dns_channel::~dns_channel() {
    closing_ = true;
    ares_destroy(channel_);
}

void dns_channel::ask(const std::string& name, address_family family, answer_function answer) {
    ares_addrinfo_hints hints{};
    hints.ai_flags = ARES_AI_NOSORT | ARES_AI_ENVHOSTS;
    hints.ai_family = family_number(family);
    hints.ai_socktype = SOCK_STREAM;
    auto asking = std::make_unique<question>(question{*this, std::move(answer)});
    ares_getaddrinfo(
        channel_, name.c_str(), nullptr, &hints,
        [](void* context, int status, int /*timeouts*/, ares_addrinfo* info) {
            const std::unique_ptr<question> q(static_cast<question*>(context));
            const std::unique_ptr<ares_addrinfo, void (*)(ares_addrinfo*)> owned(info, ares_freeaddrinfo);
            if (q->asked.closing_) return;
            q->answer(status == ARES_SUCCESS && info != nullptr ? read_addresses(*info) : read_status(status));
        },
        asking.release());
}

void dns_channel::on_socket(void* self, int number, int readable, int writable) {
    auto& channel = *static_cast<dns_channel*>(self);
    auto& s = channel.sockets_[number];
    if (!s) s = std::make_shared<socket>(channel.loop_, number);
    s->wants_read = readable != 0;
    s->wants_write = writable != 0;
    if (s->wants_read || s->wants_write) {
        channel.watch(s);
        return;
    }
    s->gone = true;
    s->where.release();
    channel.sockets_.erase(number);
}

void dns_channel::watch(const std::shared_ptr<socket>& s) {
    if (s->wants_read && !s->awaits_read) {
        s->awaits_read = true;
        s->where.async_wait(descriptor::wait_read, [this, s](const boost::system::error_code& e) {
            s->awaits_read = false;
            if (!e && !s->gone) process(s, s->where.native_handle(), ARES_SOCKET_BAD);
        });
    }
    if (s->wants_write && !s->awaits_write) {
        s->awaits_write = true;
        s->where.async_wait(descriptor::wait_write, [this, s](const boost::system::error_code& e) {
            s->awaits_write = false;
            if (!e && !s->gone) process(s, ARES_SOCKET_BAD, s->where.native_handle());
        });
    }
}

void dns_channel::process(const std::shared_ptr<socket>& s, int readable, int writable) {
    ares_process_fd(channel_, readable, writable);
    if (!s->gone) watch(s);
}

} // namespace turnout::net
