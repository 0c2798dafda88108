#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/address.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include "base/time.hpp"
#include "net/dns_lookup.hpp"
#include "net/loop.hpp"

namespace turnout::net {

/// Told what became of a name: once, and one of these.
class resolver_user {
public:
    /// At least one address, in the order in which to try them.
    virtual void on_resolved(std::span<const boost::asio::ip::address> addresses) = 0;
    virtual void on_unresolved(std::string_view why) = 0; ///< such as: it does not exist

protected:
    ~resolver_user() = default;
};

/// One loop's names. Addresses are kept as long as their DNS records say, at least 1 s and at most 5 min; who asks for
/// a name that is being looked up waits for the same answer.
class resolver {
public:
    /// `servers` as ADDRESS, IPV4:PORT or [IPV6]:PORT; without any, the system's.
    resolver(loop& l, std::vector<std::string> servers) : loop_(l), servers_(std::move(servers)) {}
    ~resolver();
    resolver(const resolver&) = delete;
    resolver& operator=(const resolver&) = delete;

    /// Tells the user from within if the name is known, else later.
    void resolve(const std::string& name, resolver_user& user);
    /// The user hears nothing more. A lookup that nobody waits for ends.
    void cancel(resolver_user& user);
    /// Puts an address of `name` first from now on, also when the name is looked up again.
    void prefer(const std::string& name, const boost::asio::ip::address& good);

private:
    struct entry {
        std::vector<boost::asio::ip::address> addresses;
        base::instant expires{};
        std::optional<boost::asio::ip::address> good;

        void put_good_first();
    };
    struct waiting {
        boost::intrusive_ptr<dns_lookup> lookup;
        std::vector<resolver_user*> users;
    };

    void on_answer(const std::string& name, dns_answer answer);

    loop& loop_;
    std::vector<std::string> servers_;
    std::map<std::string, entry> known_;
    std::map<std::string, waiting> waiting_;
};

} // namespace turnout::net
