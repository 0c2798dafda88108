#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace turnout::net {

constexpr int type_a = 1;
constexpr int type_aaaa = 28;

/// One question as it arrived.
struct dns_question {
    std::string bytes; ///< the whole message, whose head and question an answer repeats
    std::string name;
    int type = 0;
    sockaddr_in from{};
};

/// A DNS server on loopback that the test plays question by question.
class dns_peer {
public:
    dns_peer() : descriptor_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        if (::bind(descriptor_, reinterpret_cast<sockaddr*>(&where), size) != 0
            || ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&where), &size) != 0)
            throw std::runtime_error("no port for a DNS server");
        port_ = ntohs(where.sin_port);
    }
    dns_peer(const dns_peer&) = delete;
    dns_peer& operator=(const dns_peer&) = delete;
    ~dns_peer() { ::close(descriptor_); }

    std::string where() const { return "127.0.0.1:" + std::to_string(port_); }

    /// The next question, if there is one.
    bool next(dns_question& q) {
        char buffer[512];
        socklen_t size = sizeof q.from;
        const auto n = ::recvfrom(descriptor_, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&q.from), &size);
        if (n < 12) return false;
        q.bytes.assign(buffer, static_cast<std::size_t>(n));
        q.name.clear();
        std::size_t at = 12;
        while (q.bytes.at(at) != 0) {
            const auto length = static_cast<std::size_t>(q.bytes[at]);
            if (!q.name.empty()) q.name += '.';
            q.name += q.bytes.substr(at + 1, length);
            at += length + 1;
        }
        q.type = q.bytes.at(at + 2);
        q.bytes.resize(at + 5); // without what may follow the question
        return true;
    }

    void answer(const dns_question& q, const std::vector<std::string>& addresses, std::uint32_t ttl = 60) {
        std::string records;
        for (const auto& text : addresses) {
            in6_addr bytes{};
            const int family = q.type == type_a ? AF_INET : AF_INET6;
            const std::size_t length = q.type == type_a ? 4 : 16;
            if (::inet_pton(family, text.c_str(), &bytes) != 1) throw std::runtime_error("not of the family asked for");
            records += std::string("\xC0\x0C\0", 3) + static_cast<char>(q.type) + std::string("\0\1", 2);
            for (int shift = 24; shift >= 0; shift -= 8) records += static_cast<char>(ttl >> shift);
            records += std::string(1, '\0') + static_cast<char>(length);
            records.append(reinterpret_cast<const char*>(&bytes), length);
        }
        send(q, 0, addresses.size(), records);
    }
    void no_such_name(const dns_question& q) { send(q, 3, 0, {}); }
    void fail(const dns_question& q) { send(q, 2, 0, {}); }

private:
    void send(const dns_question& q, int code, std::size_t count, const std::string& records) {
        auto head = q.bytes.substr(0, 2) + '\x81' + static_cast<char>(0x80 | code) + std::string("\0\1\0", 3)
                    + static_cast<char>(count) + std::string(4, '\0');
        const auto message = head + q.bytes.substr(12) + records;
        ::sendto(descriptor_, message.data(), message.size(), 0, reinterpret_cast<const sockaddr*>(&q.from),
                 sizeof q.from);
    }

    int descriptor_;
    std::uint16_t port_ = 0;
};

} // namespace turnout::net
