#include "server/line_log.hpp"

#include <chrono>
#include <utility>

#include <unistd.h>

namespace turnout::server {
namespace {

constexpr std::size_t longest_backlog = std::size_t{4} << 20U;
constexpr auto batch_period = std::chrono::milliseconds(50);
// Worth a write before its time, so that the memory of a busy second is not needed.
constexpr std::size_t batch_bytes = std::size_t{32} << 10U;

void write_all(std::string_view text) {
    while (!text.empty()) {
        const auto n = ::write(STDERR_FILENO, text.data(), text.size());
        if (n <= 0) return; // nobody reads it, and there is nowhere else to say so
        text.remove_prefix(static_cast<std::size_t>(n));
    }
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
