#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "journal/entry.hpp"
#include "journal/filter.hpp"

namespace turnout::journal {

/// What a read found.
struct page {
    std::vector<request_entry> rows;
    std::uint64_t total = 0; ///< how many match, on this page or not
};

/// Where rows are kept. Used by the log's own thread only, but for `interrupt`. Every verb throws std::runtime_error when the machinery
/// fails, and has changed nothing then.
class row_store {
public:
    virtual ~row_store() = default;

    /// Keeps all of `batch` or nothing, and numbers it. Afterwards `batch` holds entries that may be used again.
    virtual void write(std::vector<entry_ptr>& batch) = 0;
    /// The last written first.
    virtual page list(const filter& f, std::size_t limit, std::size_t offset) = 0;
    /// The row of that number, or none.
    virtual page get(std::int64_t number) = 0;

    /// Lets a `list` or `get` that is running fail soon. From any thread.
    virtual void interrupt() {}
};

} // namespace turnout::journal
