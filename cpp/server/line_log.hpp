#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "server/time_stamp.hpp"

namespace turnout::server {

/// Lines to standard error, each with its time, written in batches by a thread of its own: a request never waits for
/// the log. At most 4 MiB wait; what comes beyond is counted and dropped.
class line_log {
public:
    line_log();
    /// Writes what is left, as far as somebody reads it.
    ~line_log();
    line_log(const line_log&) = delete;
    line_log& operator=(const line_log&) = delete;

    /// From any thread.
    void write(std::string_view line);

private:
    void run();
    void write_all(std::string_view text);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string buffer_;
    time_stamp stamp_;
    std::size_t dropped_ = 0;
    std::atomic<bool> stopping_ = false; ///< changed under the lock
    std::thread thread_;
};

} // namespace turnout::server
