#include "journal/sqlite_rows.hpp"

#include <array>
#include <chrono>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "journal/entry_json.hpp"
#include "journal/sqlite.hpp"
#include "journal/sqlite_schema.hpp"

namespace turnout::journal {
namespace {

namespace fs = std::filesystem;

// Rows can wait for another process longer than those who read them, or who stop the gateway.
constexpr std::chrono::milliseconds longest_wait{500};

constexpr std::string_view select_request =
    "SELECT number, request_id, started, took, details ->> 'model', details ->> 'servedModel', details ->> 'callType', "
    "details ->> 'outcome', details ->> 'errorCode', details ->> 'strategy', details ->> 'fallbackReason', "
    "details ->> 'keyName', details ->> 'promptTokens', details ->> 'completionTokens', details ->> 'totalTokens', "
    "details ->> 'status', details ->> 'stream', details ->> 'fallbackUsed', details ->> 'degraded', "
    "details -> 'attempts' FROM requests";
constexpr int attempts_column = 19;
// Rows of one insertion: most of what SQLite does for a statement it then does once for all of them.
constexpr std::size_t rows_at_once = 16;
// Numbers have no gaps. SQLite finds both ends at once, where it would walk through the whole table to count its rows.
constexpr std::string_view count_all =
    "SELECT coalesce((SELECT max(number) FROM requests) - (SELECT min(number) FROM requests) + 1, 0)";
constexpr std::string_view select_attempts =
    "SELECT value ->> 'deployment', value ->> 'label', value ->> 'adapter', value ->> 'publicModel', "
    "value ->> 'failure', value ->> 'detail', value ->> 'anomalies', value ->> 'circuit', value ->> 'cause', value ->> "
    "'circuitUntil', "
    "value ->> 'capacityUntil', value ->> 'status', value ->> 'latencyMs', value ->> 'waitedMs', value ->> 'committed' "
    "FROM json_each(?) ORDER BY key";

std::optional<std::uint64_t> as_count(std::optional<std::int64_t> n) {
    if (!n) return std::nullopt;
    return static_cast<std::uint64_t>(*n);
}

std::optional<base::wall_ms> as_wall(std::optional<std::int64_t> t) {
    if (!t) return std::nullopt;
    return base::wall_ms{*t};
}

void read_request(const sqlite::statement& s, request_entry& e) {
    int column = 0;
    e.number = s.integer(column++);
    s.text(column++, e.request_id);
    e.started.value = s.integer(column++);
    e.took = base::milliseconds(s.integer(column++));
    for (auto* text : {&e.public_model, &e.served_model, &e.call_type, &e.outcome, &e.error_code, &e.strategy,
                       &e.fallback_reason, &e.key_name})
        s.text(column++, *text);
    for (auto* tokens : {&e.prompt_tokens, &e.completion_tokens, &e.total_tokens})
        *tokens = as_count(s.maybe_integer(column++));
    e.status = static_cast<int>(s.integer(column++));
    for (auto* flag : {&e.stream, &e.fallback_used, &e.degraded}) *flag = s.integer(column++) != 0;
}

void read_attempt(const sqlite::statement& s, attempt_entry& a) {
    int column = 0;
    for (auto* text : {&a.deployment, &a.label, &a.adapter, &a.public_model, &a.failure, &a.detail, &a.anomalies,
                       &a.circuit, &a.cause})
        s.text(column++, *text);
    a.circuit_until = as_wall(s.maybe_integer(column++));
    a.capacity_until = as_wall(s.maybe_integer(column++));
    a.status = static_cast<int>(s.integer(column++));
    a.latency = base::milliseconds(s.integer(column++));
    a.waited = base::milliseconds(s.integer(column++));
    a.committed = s.integer(column++) != 0;
}

std::string insertion_of(std::size_t rows) {
    std::string sql = "INSERT INTO requests (number, request_id, started, took, details) VALUES (?, ?, ?, ?, ?)";
    for (std::size_t i = 1; i < rows; ++i) sql += ", (?, ?, ?, ?, ?)";
    return sql;
}

/// A filter as a condition with its values.
struct condition {
    explicit condition(const filter& f) {
        if (f.request_id) add("request_id = ?", *f.request_id);
        if (f.min_duration) add("took >= ?", f.min_duration->count());
        if (f.max_duration) add("took <= ?", f.max_duration->count());
        if (f.start) add("started >= ?", f.start->value);
        if (f.end) add("started < ?", f.end->value);
        add_member("model", f.public_model);
        add_member("callType", f.call_type);
        add_member("outcome", f.outcome);
        add_member("stream", f.stream);
        add_member("degraded", f.degraded);
        add_member("deployment", f.deployment);
        add_member("adapter", f.adapter);
        add_member("failure", f.failure);
    }

    void bind_to(sqlite::statement& s) const {
        for (const auto& v : values) std::visit([&](const auto& value) { s.bind(value); }, v);
    }

    std::string sql;

private:
    void add(std::string_view test, std::variant<std::string, std::int64_t> value) {
        sql.append(sql.empty() ? " WHERE " : " AND ").append(test);
        values.push_back(std::move(value));
    }

    // Far cheaper than to parse the details of a million rows.
    template <class T>
    void add_member(std::string_view name, const std::optional<T>& wanted) {
        if (wanted) add("instr(details, ?)", member(name, *wanted));
    }

    std::vector<std::variant<std::string, std::int64_t>> values;
};

void make_directory(const fs::path& directory) {
    std::error_code error;
    if (fs::create_directories(directory, error)) fs::permissions(directory, fs::perms::owner_all, error);
    if (error) throw std::runtime_error("the directory cannot be made: " + error.message());
}

} // namespace

struct sqlite_rows::connection {
    connection(const fs::path& file, base::wall_ms now) : db(file), ready(prepare(db, file, now)) {}

    // Files of the write-ahead log take the permissions of the database, so they are set before there are any. What is
    // no log of ours is not touched.
    static bool prepare(sqlite::database& db, const fs::path& file, base::wall_ms now) {
        check_schema(db);
        if (db.number("PRAGMA user_version") == 0)
            fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
        // Rows wait while the write-ahead log is moved into the database and flushed: a little of it at a time.
        db.run("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
               "PRAGMA cache_size = -256; PRAGMA wal_autocheckpoint = 128");
        prepare_schema(db, now);
        db.wait_for_others(longest_wait);
        return true;
    }

    void read(const sqlite::statement& row, request_entry& e) {
        read_request(row, e);
        row.text(attempts_column, json);
        attempts.restart();
        attempts.bind(json);
        while (attempts.row()) read_attempt(attempts, e.attempts.add());
        attempts.restart();
    }

    /// Inserts `rows` under the numbers from `first` on.
    void add(sqlite::statement& s, std::span<const entry_ptr> rows, std::int64_t first) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& e = *rows[i];
            details[i].clear();
            write_details(details[i], e);
            s.bind(first++).bind(e.request_id).bind(e.started.value).bind(std::int64_t{e.took.count()});
            s.bind(details[i]);
        }
        s.finish();
    }

    /// As many numbers as asked for, which nobody else gets; returns the last.
    std::int64_t take_numbers(std::size_t count) {
        raise_number.bind(static_cast<std::int64_t>(count)).finish();
        number.restart();
        if (!number.row()) throw std::runtime_error("the table of numbers is empty");
        const auto last = number.integer(0);
        number.restart();
        return last;
    }

    sqlite::database db;
    bool ready;
    sqlite::statement add_one{db, insertion_of(1)};
    sqlite::statement add_many{db, insertion_of(rows_at_once)};
    sqlite::statement raise_number{db, "UPDATE numbers SET last = last + ?"};
    sqlite::statement number{db, "SELECT last FROM numbers"};
    sqlite::statement attempts{db, select_attempts};
    sqlite::statement trim{db, "DELETE FROM requests WHERE number <= ?"};
    std::array<std::string, rows_at_once> details; ///< of the rows that are bound
    std::string json;                              ///< of the attempts that are read
};

sqlite_rows::sqlite_rows(const fs::path& directory, base::wall_ms now, std::int64_t max_rows) : max_rows_(max_rows) {
    const auto file = directory / "log.db";
    try {
        make_directory(directory);
        connection_ = std::make_unique<connection>(file, now);
    } catch (const std::exception& e) {
        throw std::runtime_error("the operation log " + file.string() + ": " + e.what());
    }
}

sqlite_rows::~sqlite_rows() = default;

void sqlite_rows::interrupt() { connection_->db.interrupt(); }

void sqlite_rows::write(std::vector<entry_ptr>& batch) {
    auto& c = *connection_;
    for (auto* s : {&c.add_one, &c.add_many, &c.raise_number, &c.trim}) s->restart(); // after an error
    sqlite::transaction whole(c.db);
    const auto last = c.take_numbers(batch.size());
    for (std::span<const entry_ptr> left(batch); !left.empty();) {
        const auto next = last - static_cast<std::int64_t>(left.size()) + 1;
        const auto rows = left.first(left.size() < rows_at_once ? 1 : rows_at_once);
        c.add(rows.size() == 1 ? c.add_one : c.add_many, rows, next);
        left = left.subspan(rows.size());
    }
    c.trim.bind(last - max_rows_).finish(); // numbers have no gaps
    whole.commit();
}

page sqlite_rows::list(const filter& f, std::size_t limit, std::size_t offset) {
    auto& c = *connection_;
    const condition wanted(f);
    page found;
    sqlite::statement count(c.db,
                            wanted.sql.empty() ? std::string(count_all) : "SELECT count(*) FROM requests" + wanted.sql);
    wanted.bind_to(count);
    count.row();
    found.total = static_cast<std::uint64_t>(count.integer(0));
    sqlite::statement rows(c.db, std::string(select_request) + wanted.sql + " ORDER BY number DESC LIMIT ? OFFSET ?");
    wanted.bind_to(rows);
    rows.bind(static_cast<std::int64_t>(limit)).bind(static_cast<std::int64_t>(offset));
    while (rows.row()) c.read(rows, found.rows.emplace_back());
    return found;
}

page sqlite_rows::get(std::int64_t number) {
    auto& c = *connection_;
    sqlite::statement row(c.db, std::string(select_request) + " WHERE number = ?");
    row.bind(number);
    page found;
    if (row.row()) {
        c.read(row, found.rows.emplace_back());
        found.total = 1;
    }
    return found;
}

} // namespace turnout::journal
