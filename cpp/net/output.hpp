#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "net/stream.hpp"

namespace turnout::net {

/// What a connection has still to write: tries at once, keeps what the kernel did not take.
class output {
public:
    /// Writes the pieces in order after what is pending. False when the connection is broken.
    bool write(stream& to, std::initializer_list<std::string_view> pieces);
    /// Keeps the pieces for a `flush` that is to come.
    void hold(std::initializer_list<std::string_view> pieces);
    /// Writes pending bytes. False when the connection is broken.
    bool flush(stream& to);

    std::size_t pending() const { return pending_.size() - sent_; }
    /// Bytes in memory, with those that have left and are still there.
    std::size_t held() const { return pending_.size(); }
    /// After `write` or `flush` with bytes pending: which readiness to wait for.
    io_status waits_for() const { return waits_for_; }
    void clear();

private:
    void keep(std::string_view rest);

    std::string pending_;
    std::size_t sent_ = 0;
    io_status waits_for_ = io_status::wait_write;
};

} // namespace turnout::net
