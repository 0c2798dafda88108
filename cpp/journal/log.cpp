#include "journal/log.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

namespace turnout::journal {

log::log(std::unique_ptr<row_store> rows, complaint complain, options o)
    : options_(o), rows_(std::move(rows)), complain_(std::move(complain)), thread_([this] { run(); }) {}

entry_ptr log::take() {
    {
        const std::scoped_lock lock(mutex_);
        if (!spare_.empty()) {
            auto e = std::move(spare_.back());
            spare_.pop_back();
            return e;
        }
    }
    return std::make_unique<request_entry>();
}

void log::append(entry_ptr e) {
    bool wake = false;
    {
        const std::scoped_lock lock(mutex_);
        if (closing_) {
            ++dropped_;
        } else if (queue_.size() < options_.backlog) {
            queue_.push_back(std::move(e));
            wake = std::exchange(asleep_, false) || queue_.size() == options_.batch;
        } else {
            queue_[oldest_].swap(e);
            oldest_ = (oldest_ + 1) % queue_.size();
            ++dropped_;
        }
    }
    if (wake) changed_.notify_one();
}

void log::list(filter f, std::size_t limit, std::size_t offset, read_done done) {
    ask([this, f = std::move(f), limit, offset, done = std::move(done)](row_store* rows) {
        std::optional<page> found;
        try {
            if (rows != nullptr) found = rows->list(f, limit, offset);
        } catch (const std::exception& e) {
            say(std::string("operation log: cannot be read: ") + e.what());
        }
        done(std::move(found));
    });
}

void log::get(std::int64_t number, read_done done) {
    ask([this, number, done = std::move(done)](row_store* rows) {
        std::optional<page> found;
        try {
            if (rows != nullptr) found = rows->get(number);
        } catch (const std::exception& e) {
            say(std::string("operation log: cannot be read: ") + e.what());
        }
        done(std::move(found));
    });
}

void log::ask(read_task task) {
    {
        const std::scoped_lock lock(mutex_);
        if (!closing_ && reads_.size() < options_.most_reads) {
            reads_.push_back(std::move(task));
            task = nullptr;
        }
    }
    if (task)
        task(nullptr);
    else
        changed_.notify_one();
}

void log::close() {
    std::call_once(closed_, [this] {
        {
            const std::scoped_lock lock(mutex_);
            closing_ = true;
            if (reading_) rows_->interrupt();
        }
        changed_.notify_one();
        thread_.join();
    });
}

std::uint64_t log::dropped() const {
    const std::scoped_lock lock(mutex_);
    return dropped_;
}

void log::run() {
    std::unique_lock lock(mutex_);
    for (bool last = false; !last;) {
        wait_for_work(lock);
        take_queue();
        const bool asked = !reads_.empty(); // and what the first read must know is in the batch
        last = closing_;
        const auto dropped = dropped_;
        lock.unlock();
        if (dropped > std::exchange(dropped_said_, dropped))
            say("operation log: rows dropped=" + std::to_string(dropped) + " since the start, more than can wait");
        const bool written = write_batch();
        if (last && !written) say("operation log: rows lost=" + std::to_string(batch_.size()) + " at the end");
        lock.lock();
        if (written)
            give_back();
        else
            queue_again();
        if (asked && !closing_) read_one(lock);
    }
    for (const auto& read : std::exchange(reads_, {})) read(nullptr);
}

/// One at a time, so that rows are written between them.
void log::read_one(std::unique_lock<std::mutex>& lock) {
    const auto read = std::move(reads_.front());
    reads_.pop_front();
    reading_ = true;
    lock.unlock();
    read(rows_.get());
    lock.lock();
    reading_ = false;
}

/// Looks again by itself while rows keep coming, so that no request has to wake anybody.
void log::wait_for_work(std::unique_lock<std::mutex>& lock) {
    const auto urgent = [this] { return closing_ || !reads_.empty(); };
    if (queue_.empty() && quiet_ >= options_.watchful_for) {
        asleep_ = true;
        changed_.wait(lock, [&] { return !asleep_ || urgent(); });
        asleep_ = false;
    }
    const auto pause = failing_ ? options_.retry_every : options_.batch_every;
    changed_.wait_for(lock, pause, [&] { return urgent() || (!failing_ && queue_.size() >= options_.batch); });
    quiet_ = queue_.empty() ? quiet_ + pause : std::chrono::milliseconds(0);
}

void log::take_queue() {
    if (const auto oldest = std::exchange(oldest_, 0); oldest != 0)
        std::rotate(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(oldest), queue_.end());
    batch_.swap(queue_);
}

bool log::write_batch() {
    if (batch_.empty()) return true;
    try {
        rows_->write(batch_);
    } catch (const std::exception& e) {
        if (!std::exchange(failing_, true))
            say(std::string("operation log: cannot be written, rows wait: ") + e.what());
        return false;
    }
    if (std::exchange(failing_, false)) say("operation log: written again");
    if (batch_.size() > options_.spare) batch_.resize(options_.spare);
    for (const auto& e : batch_) e->clear();
    return true;
}

void log::give_back() {
    const auto room = options_.spare - std::min(options_.spare, spare_.size());
    const auto kept = static_cast<std::ptrdiff_t>(std::min(room, batch_.size()));
    std::move(batch_.begin(), batch_.begin() + kept, std::back_inserter(spare_));
    batch_.clear();
}

/// What came meanwhile is younger; if all is too much, the oldest go.
void log::queue_again() {
    batch_.insert(batch_.end(), std::make_move_iterator(queue_.begin() + static_cast<std::ptrdiff_t>(oldest_)),
                  std::make_move_iterator(queue_.end()));
    batch_.insert(batch_.end(), std::make_move_iterator(queue_.begin()),
                  std::make_move_iterator(queue_.begin() + static_cast<std::ptrdiff_t>(oldest_)));
    oldest_ = 0;
    if (batch_.size() > options_.backlog) {
        const auto excess = batch_.size() - options_.backlog;
        batch_.erase(batch_.begin(), batch_.begin() + static_cast<std::ptrdiff_t>(excess));
        dropped_ += excess;
    }
    queue_.swap(batch_);
    batch_.clear();
}

void log::say(std::string_view line) const {
    if (complain_) complain_(line);
}

} // namespace turnout::journal
