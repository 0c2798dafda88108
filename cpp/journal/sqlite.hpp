#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace turnout::journal::sqlite {

/// A connection. Everything here throws std::runtime_error with SQLite's words.
class database {
public:
    explicit database(const std::filesystem::path& file);
    ~database();
    database(const database&) = delete;
    database& operator=(const database&) = delete;

    void run(const char* sql);
    std::int64_t number(const char* sql); ///< the first column of the only row

    /// How long a statement waits for a lock that another process holds.
    void wait_for_others(std::chrono::milliseconds most);
    /// Ends statements that are running, with an error. From any thread.
    void interrupt();
    std::int64_t last_row() const; ///< the number of the row that this connection inserted last

    sqlite3* handle() const { return handle_; }

private:
    sqlite3* handle_ = nullptr;
};

/// A prepared statement. Columns count from 0; values are bound one after the other, from the first on.
class statement {
public:
    statement(database& of, std::string_view sql);
    ~statement();
    statement(const statement&) = delete;
    statement& operator=(const statement&) = delete;

    /// `value` has to stay until the next `restart`.
    statement& bind(std::string_view value);
    statement& bind(std::int64_t value);
    statement& bind(std::optional<std::int64_t> value);

    bool row();     ///< true while there is one
    void finish();  ///< runs it to its end
    void restart(); ///< for new values

    void text(int column, std::string& out) const;
    std::int64_t integer(int column) const;
    std::optional<std::int64_t> maybe_integer(int column) const;

private:
    void check(int code) const;

    database& of_;
    sqlite3_stmt* handle_ = nullptr;
    int bound_ = 0;
};

/// Undone unless committed.
class transaction {
public:
    /// `begin` says when it locks: at once, so that it can write, unless told otherwise.
    explicit transaction(database& of, const char* begin = "BEGIN IMMEDIATE");
    ~transaction();
    transaction(const transaction&) = delete;
    transaction& operator=(const transaction&) = delete;
    void commit();

private:
    database& of_;
    bool open_ = true;
};

} // namespace turnout::journal::sqlite
