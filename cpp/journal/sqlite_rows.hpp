#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "base/time.hpp"
#include "journal/row_store.hpp"

namespace turnout::journal {

/// Rows in `log.db` of a data directory: SQLite with a write-ahead log, one transaction a batch. A loss of power may take
/// the last batches with it, a crash of the process may not. Two processes may share it while one replaces the other.
class sqlite_rows final : public row_store {
public:
    static constexpr std::int64_t usual_rows = 1'000'000;

    /// Makes the directory (0700) and the file (0600) if they are missing. Keeps the last `max_rows` logical requests,
    /// at least 1. Throws std::runtime_error naming the file if it cannot be used: no access, no database, another
    /// program's, or written by a newer version.
    sqlite_rows(const std::filesystem::path& directory, base::wall_ms now, std::int64_t max_rows = usual_rows);
    ~sqlite_rows() override;

    void write(std::vector<entry_ptr>& batch) override;
    page list(const filter& f, std::size_t limit, std::size_t offset) override;
    page get(std::int64_t number) override;
    void interrupt() override;

private:
    struct connection;
    std::unique_ptr<connection> connection_;
    std::int64_t max_rows_;
};

} // namespace turnout::journal
