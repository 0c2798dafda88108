#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "net/callback.hpp"
#include "net/dns_channel.hpp"
#include "net/timers.hpp"

namespace turnout::net {

/// Finds the addresses of one name: in the hosts file, else at the DNS servers in order and twice round. A server has
/// 2 s, and the next is asked at once where one fails; what an earlier one still answers counts. Once one family of
/// addresses is known, the other has 50 ms.
class dns_lookup final : public boost::intrusive_ref_counter<dns_lookup, boost::thread_unsafe_counter> {
public:
    using done_function = callback<void(dns_answer)>;

    /// Without `servers`, the system's are asked.
    dns_lookup(loop& l, std::vector<std::string> servers, std::string name, done_function done);

    /// Calls `done` once, and not from within.
    void start();
    void cancel();

private:
    /// What is known about the addresses of one family.
    struct half {
        address_family family{};
        bool settled = false;
        std::size_t failed = 0; ///< of the servers asked
        std::vector<boost::asio::ip::address> addresses = {};
        base::duration ttl = {};
    };

    void ask_hosts();
    void ask_next_server();
    void on_answer(half& h, dns_answer answer);
    void judge_soon();
    void judge();
    void on_impatient();
    bool found() const;
    bool settled() const;
    void finish();
    void finish(dns_answer answer);

    loop& loop_;
    std::vector<std::string> servers_;
    std::string name_;
    done_function done_;
    std::vector<std::unique_ptr<dns_channel>> channels_; ///< of the servers asked so far
    std::unique_ptr<dns_channel> hosts_;
    std::optional<dns_answer> from_hosts_;
    std::array<half, 2> halves_{half{address_family::ipv6}, half{address_family::ipv4}};
    std::string problem_ = "no DNS server gave an answer";
    bool judging_ = false;
    bool over_ = false;
    timer impatient_;
};

} // namespace turnout::net
