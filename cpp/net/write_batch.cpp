#include "net/write_batch.hpp"

namespace turnout::net {

bool write_batch::defers(batched_writer& w) {
    if (without_ > 0) {
        --without_;
        return false;
    }
    if (waiting_.empty()) schedule_();
    waiting_.push_back(w);
    return true;
}

void write_batch::flush() {
    list now;
    now.swap(waiting_); // who writes may come to write again: on the next turn
    std::size_t writers = 0;
    while (!now.empty()) {
        auto& w = now.front();
        now.pop_front();
        ++writers;
        w.write_batched();
    }
    if (writers < worth_it) without_ = at_once;
}

} // namespace turnout::net
