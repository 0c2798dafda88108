#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace turnout::net {

/// What the clients of one process may take together. Any thread may call.
class server_capacity {
public:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    explicit server_capacity(std::size_t connections = unlimited, std::size_t request_bytes = unlimited)
        : most_connections_(connections), most_bytes_(request_bytes) {}

    /// Takes room for one client, if there is any.
    bool add_connection() { return add(connections_, 1, most_connections_); }
    void remove_connection() { connections_.fetch_sub(1, std::memory_order_relaxed); }
    std::size_t connections() const { return connections_.load(std::memory_order_relaxed); }

    /// Takes room for so many bytes of requests, if there is any.
    bool add_bytes(std::size_t n) { return add(bytes_, n, most_bytes_); }
    /// Counts bytes that are there already.
    void count_bytes(std::size_t n) { bytes_.fetch_add(n, std::memory_order_relaxed); }
    void remove_bytes(std::size_t n) { bytes_.fetch_sub(n, std::memory_order_relaxed); }
    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    /// Whether so many bytes would find room now.
    bool fits(std::uint64_t more) const {
        const auto used = bytes();
        return used <= most_bytes_ && more <= most_bytes_ - used;
    }

private:
    static bool add(std::atomic<std::size_t>& count, std::size_t n, std::size_t most) {
        const auto before = count.fetch_add(n, std::memory_order_relaxed);
        if (before <= most && n <= most - before) return true;
        count.fetch_sub(n, std::memory_order_relaxed);
        return false;
    }

    const std::size_t most_connections_;
    const std::size_t most_bytes_;
    std::atomic<std::size_t> connections_{0};
    std::atomic<std::size_t> bytes_{0};
};

} // namespace turnout::net
