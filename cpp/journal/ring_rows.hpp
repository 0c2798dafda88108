#pragma once

#include <cstddef>
#include <vector>

#include "journal/row_store.hpp"

namespace turnout::journal {

/// The last rows, in memory.
class ring_rows final : public row_store {
public:
    static constexpr std::size_t usual_rows = 10'000;

    /// Precondition: `max_rows` is not 0.
    ring_rows(std::int64_t first_number, std::size_t max_rows = usual_rows) : max_(max_rows), next_(first_number) {}

    void write(std::vector<entry_ptr>& batch) override;
    page list(const filter& f, std::size_t limit, std::size_t offset) override;
    page get(std::int64_t number) override;

private:
    std::size_t max_;
    std::int64_t next_;           ///< number of the next row
    std::size_t oldest_ = 0;      ///< where the next row goes once the ring is full
    std::vector<entry_ptr> rows_; ///< consecutive numbers, beginning at `oldest_`
};

} // namespace turnout::journal
