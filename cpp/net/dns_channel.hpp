#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/ip/address.hpp>

#include "base/time.hpp"
#include "net/callback.hpp"
#include "net/loop.hpp"

struct ares_channeldata;

namespace turnout::net {

/// What was heard about one name.
struct dns_answer {
    enum class kind {
        found,  ///< at least one address
        absent, ///< the name, or an address of the family asked for, does not exist
        failed, ///< no usable answer
    };
    kind what = kind::failed;
    std::vector<boost::asio::ip::address> addresses;
    base::duration ttl{};
    std::string problem; ///< if absent
};

enum class address_family { any, ipv4, ipv6 };

/// One source of names asked through c-ares, whose sockets the loop drives. It has no deadlines: who asks has.
class dns_channel {
public:
    using answer_function = callback<void(dns_answer)>;

    /// The hosts file: /etc/hosts, or what CARES_HOSTS names.
    static std::unique_ptr<dns_channel> hosts_file(loop& l);
    /// One DNS server, as ADDRESS, IPV4:PORT or [IPV6]:PORT.
    static std::unique_ptr<dns_channel> server(loop& l, const std::string& where);
    /// Those of the system, in its order.
    static std::vector<std::string> system_servers(loop& l);

    /// Not from within an answer. Open questions are not answered any more.
    ~dns_channel();
    dns_channel(const dns_channel&) = delete;
    dns_channel& operator=(const dns_channel&) = delete;

    /// Answers once, maybe from within.
    void ask(const std::string& name, address_family family, answer_function answer);

private:
    struct socket;
    struct question;

    dns_channel(loop& l, const char* lookups, const std::string& where);
    static void on_socket(void* self, int descriptor, int readable, int writable);
    void watch(const std::shared_ptr<socket>& s);
    void process(const std::shared_ptr<socket>& s, int readable, int writable);

    loop& loop_;
    ares_channeldata* channel_ = nullptr;
    std::map<int, std::shared_ptr<socket>> sockets_;
    bool closing_ = false;
};

} // namespace turnout::net
