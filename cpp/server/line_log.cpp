#include "server/line_log.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <utility>

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace turnout::server {
namespace {

constexpr std::size_t longest_backlog = std::size_t{4} << 20U;
constexpr auto batch_period = std::chrono::milliseconds(50);
// Worth a write before its time, so that the memory of a busy second is not needed.
constexpr std::size_t batch_bytes = std::size_t{32} << 10U;

// A log that nobody reads keeps no process from ending for longer.
constexpr auto patience_at_the_end = std::chrono::milliseconds(500);
constexpr auto look_every = std::chrono::milliseconds(50);

/// Whether somebody has to read what is written, so that a write may have to wait for that.
bool has_reader() {
    struct stat s{};
    return ::fstat(STDERR_FILENO, &s) == 0
           && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode) || ::isatty(STDERR_FILENO) != 0);
}

bool has_room() {
    pollfd p{STDERR_FILENO, POLLOUT, 0};
    return ::poll(&p, 1, static_cast<int>(look_every.count())) != 0;
}

} // namespace

line_log::line_log() : thread_([this] { run(); }) {}

line_log::~line_log() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void line_log::write(std::string_view line) {
    bool wake = false;
    {
        const std::scoped_lock lock(mutex_);
        if (buffer_.size() > longest_backlog) {
            ++dropped_;
            return;
        }
        const auto before = buffer_.size();
        stamp_.append_to(buffer_);
        buffer_.append(line).push_back('\n');
        wake = before == 0 || (before < batch_bytes && buffer_.size() >= batch_bytes);
    }
    if (wake) changed_.notify_one();
}

void line_log::write_all(std::string_view text) {
    const bool read = has_reader();
    auto patience = patience_at_the_end;
    while (!text.empty()) {
        if (read && !has_room()) {
            if (stopping_ && (patience -= look_every) < look_every) return;
            continue;
        }
        // A pipe that has room takes so much without waiting.
        const auto n =
            ::write(STDERR_FILENO, text.data(), read ? std::min<std::size_t>(text.size(), PIPE_BUF) : text.size());
        if (n <= 0) return; // nobody reads it, and there is nowhere else to say so
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void line_log::run() {
    std::string batch;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !buffer_.empty(); });
        if (buffer_.empty()) return;
        changed_.wait_for(lock, batch_period, [this] { return stopping_ || buffer_.size() >= batch_bytes; });
        if (const auto dropped = std::exchange(dropped_, 0); dropped > 0) {
            stamp_.append_to(buffer_);
            buffer_ += "log lines dropped=" + std::to_string(dropped) + "\n";
        }
        batch.swap(buffer_);
        lock.unlock();
        write_all(batch);
        batch.clear();
        lock.lock();
    }
}

} // namespace turnout::server
