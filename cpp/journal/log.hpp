#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "journal/row_store.hpp"

namespace turnout::journal {

/// The operation log: rows go in from any thread, and a thread of its own writes and reads them. Handing a row over
/// costs a lock and a move; while rows keep coming, the writer looks after them by itself every 100 ms, and is woken only
/// when a whole batch waits.
class log {
public:
    /// Takes one line about trouble with the log, on the log's thread.
    using complaint = std::function<void(std::string_view)>;
    /// Gets what was found, or nothing if the rows could not be read. Called once: on the log's thread, or before the
    /// call returns if the log was closed.
    using read_done = std::function<void(std::optional<page>)>;

    struct options {
        std::size_t backlog = 100'000;                 ///< rows that may wait; beyond it the oldest are dropped
        std::size_t most_reads = 64;                   ///< that may wait
        std::size_t spare = 512;                       ///< entries kept for use again
        std::chrono::milliseconds retry_every{1'000};  ///< while rows cannot be written
        std::size_t batch = 256;                       ///< rows that are worth a transaction before its time
        std::chrono::milliseconds batch_every{100};    ///< while rows keep coming
        std::chrono::milliseconds watchful_for{1'000}; ///< after the last row, until the writer has to be woken
    };

    explicit log(std::unique_ptr<row_store> rows, complaint complain = {})
        : log(std::move(rows), std::move(complain), options()) {}
    log(std::unique_ptr<row_store> rows, complaint complain, options o);
    ~log() { close(); }
    log(const log&) = delete;
    log& operator=(const log&) = delete;

    /// An empty entry, with the memory of one that was written if there is any.
    entry_ptr take();
    /// Queues a row. After `close` it is dropped.
    void append(entry_ptr e);

    /// The last rows first; knows every row that was appended before. Finds nothing if `most_reads` wait already.
    void list(filter f, std::size_t limit, std::size_t offset, read_done done);
    void get(std::int64_t number, read_done done);

    /// Writes what is queued and ends the thread; reads that wait or run find nothing. Not from the log's own thread; once is enough.
    void close();

    /// Rows that were lost because too many waited, or because the log was closed.
    std::uint64_t dropped() const;

private:
    using read_task = std::function<void(row_store*)>;

    void ask(read_task task);
    void run();
    void read_one(std::unique_lock<std::mutex>& lock);
    void wait_for_work(std::unique_lock<std::mutex>& lock);
    void take_queue();
    bool write_batch();
    void give_back();
    void queue_again();
    void say(std::string_view line) const;

    const options options_;
    const std::unique_ptr<row_store> rows_;
    const complaint complain_;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<entry_ptr> queue_; ///< in order from `oldest_` on, and round
    std::size_t oldest_ = 0;       ///< not 0 only while rows are dropped
    std::vector<entry_ptr> spare_;
    std::deque<read_task> reads_;
    bool reading_ = false;
    std::uint64_t dropped_ = 0;
    bool asleep_ = false; ///< the writer waits for a row, without looking by itself
    bool closing_ = false;

    // The writer's own.
    std::vector<entry_ptr> batch_;
    std::uint64_t dropped_said_ = 0;
    std::chrono::milliseconds quiet_{0};
    bool failing_ = false;

    std::once_flag closed_;
    std::thread thread_;
};

} // namespace turnout::journal
