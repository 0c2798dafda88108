#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/time.hpp"

/// How long the server waits for its clients, and how much it takes from them. For `server_connection` alone.
namespace turnout::net::bounds {

inline constexpr base::duration head_deadline = std::chrono::seconds(30);
inline constexpr base::duration drain_head_deadline = std::chrono::seconds(1);
inline constexpr base::duration idle_deadline = std::chrono::seconds(75);
inline constexpr base::duration linger_deadline = std::chrono::seconds(2);
// Pipelined bytes are kept for their turn up to here; then the client waits.
inline constexpr std::size_t early_bytes = std::size_t{64} * 1024;
// Most clients send a body to its end before they look for an answer.
inline constexpr std::size_t linger_bytes = std::size_t{64} << 20U;
// What is not yet so much can wait for the other writes of its turn.
inline constexpr std::size_t batched_bytes = std::size_t{16} * 1024;
// A refused body of at most this size is read and dropped, so that the connection can go on.
inline constexpr std::uint64_t discard_bytes = std::uint64_t{256} * 1024;
// A promise of a long body is no reason to take its memory before it comes.
inline constexpr std::uint64_t reserved_at_once = std::uint64_t{1} << 20U;
inline constexpr std::size_t kept_body_capacity = std::size_t{64} * 1024;
// So many clients beyond the limit of connections are told so at a time, for each listener; the next ones wait.
inline constexpr std::size_t surplus_connections = 32;
inline constexpr base::duration surplus_head_deadline = std::chrono::seconds(2);
// How often a client that is not read, since it has sent so much, is looked after.
inline constexpr base::duration watch_interval = std::chrono::seconds(1);

} // namespace turnout::net::bounds
