#include "journal/ring_rows.hpp"

namespace turnout::journal {

void ring_rows::write(std::vector<entry_ptr>& batch) {
    std::size_t given_back = 0;
    for (auto& e : batch) {
        e->number = next_++;
        if (rows_.size() < max_) {
            rows_.push_back(std::move(e));
            continue;
        }
        rows_[oldest_].swap(e);
        oldest_ = (oldest_ + 1) % max_;
        if (&batch[given_back] != &e) batch[given_back] = std::move(e);
        ++given_back;
    }
    batch.resize(given_back);
}

page ring_rows::list(const filter& f, std::size_t limit, std::size_t offset) {
    page found;
    for (std::size_t i = rows_.size(); i > 0; --i) {
        const auto& e = *rows_[(oldest_ + i - 1) % rows_.size()];
        if (!matches(f, e)) continue;
        if (found.total >= offset && found.rows.size() < limit) found.rows.push_back(e);
        ++found.total;
    }
    return found;
}

page ring_rows::get(std::int64_t number) {
    page found;
    const auto count = static_cast<std::int64_t>(rows_.size());
    const auto age = next_ - number; // 1 is the newest
    if (age < 1 || age > count) return found;
    found.rows.push_back(*rows_[(oldest_ + static_cast<std::size_t>(count - age)) % rows_.size()]);
    found.total = 1;
    return found;
}

} // namespace turnout::journal
