#include "journal/sqlite_rows.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "journal/attempts_json.hpp"
#include "journal/sqlite.hpp"
#include "journal/sqlite_schema.hpp"

namespace turnout::journal {
namespace {

namespace fs = std::filesystem;

// Rows can wait for another process longer than those who read them, or who stop the gateway.
constexpr std::chrono::milliseconds longest_wait{500};

constexpr std::string_view request_columns =
    "number, request_id, public_model, served_model, call_type, outcome, error_code, strategy, fallback_reason, "
    "key_name, prompt_tokens, completion_tokens, total_tokens, started, took, status, stream, fallback_used, degraded, "
    "attempts";
constexpr std::string_view insert_request =
    "INSERT INTO requests (number, request_id, public_model, served_model, call_type, outcome, error_code, strategy, "
    "fallback_reason, key_name, prompt_tokens, completion_tokens, total_tokens, started, took, status, stream, "
    "fallback_used, degraded, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr int attempts_column = 19; // the last of `request_columns`
// Numbers have no gaps. SQLite finds both ends at once, where it would walk through the whole table to count its rows.
constexpr std::string_view count_all =
    "SELECT coalesce((SELECT max(number) FROM requests) - (SELECT min(number) FROM requests) + 1, 0)";
constexpr std::string_view select_attempts =
    "SELECT value ->> 'deployment', value ->> 'label', value ->> 'adapter', value ->> 'publicModel', "
    "value ->> 'failure', value ->> 'anomalies', value ->> 'circuit', value ->> 'cause', value ->> 'circuitUntil', "
    "value ->> 'capacityUntil', value ->> 'status', value ->> 'latencyMs', value ->> 'waitedMs', value ->> 'committed' "
    "FROM json_each(?) ORDER BY key";

std::optional<std::int64_t> as_integer(const std::optional<std::uint64_t>& n) {
    if (!n) return std::nullopt;
    return static_cast<std::int64_t>(*n);
}

std::optional<std::uint64_t> as_count(std::optional<std::int64_t> n) {
    if (!n) return std::nullopt;
    return static_cast<std::uint64_t>(*n);
}

std::optional<base::wall_ms> as_wall(std::optional<std::int64_t> t) {
    if (!t) return std::nullopt;
    return base::wall_ms{*t};
}

void bind_request(sqlite::statement& s, const request_entry& e) {
    for (const auto* text : {&e.request_id, &e.public_model, &e.served_model, &e.call_type, &e.outcome, &e.error_code,
                             &e.strategy, &e.fallback_reason, &e.key_name})
        s.bind(*text);
    for (const auto* tokens : {&e.prompt_tokens, &e.completion_tokens, &e.total_tokens}) s.bind(as_integer(*tokens));
    for (const std::int64_t n : {e.started.value, std::int64_t{e.took.count()}, std::int64_t{e.status},
                                 std::int64_t{e.stream}, std::int64_t{e.fallback_used}, std::int64_t{e.degraded}})
        s.bind(n);
}

void read_request(const sqlite::statement& s, request_entry& e) {
    int column = 0;
    e.number = s.integer(column++);
    for (auto* text : {&e.request_id, &e.public_model, &e.served_model, &e.call_type, &e.outcome, &e.error_code,
                       &e.strategy, &e.fallback_reason, &e.key_name})
        s.text(column++, *text);
    for (auto* tokens : {&e.prompt_tokens, &e.completion_tokens, &e.total_tokens})
        *tokens = as_count(s.maybe_integer(column++));
    e.started.value = s.integer(column++);
    e.took = base::milliseconds(s.integer(column++));
    e.status = static_cast<int>(s.integer(column++));
    for (auto* flag : {&e.stream, &e.fallback_used, &e.degraded}) *flag = s.integer(column++) != 0;
}

void read_attempt(const sqlite::statement& s, attempt_entry& a) {
    int column = 0;
    for (auto* text :
         {&a.deployment, &a.label, &a.adapter, &a.public_model, &a.failure, &a.anomalies, &a.circuit, &a.cause})
        s.text(column++, *text);
    a.circuit_until = as_wall(s.maybe_integer(column++));
    a.capacity_until = as_wall(s.maybe_integer(column++));
    a.status = static_cast<int>(s.integer(column++));
    a.latency = base::milliseconds(s.integer(column++));
    a.waited = base::milliseconds(s.integer(column++));
    a.committed = s.integer(column++) != 0;
}

/// A filter as a condition with its values.
struct condition {
    explicit condition(const filter& f) {
        add(f.request_id, "request_id = ?");
        add(f.public_model, "public_model = ?");
        add(f.call_type, "call_type = ?");
        add(f.outcome, "outcome = ?");
        add(f.stream, "stream = ?");
        add(f.degraded, "degraded = ?");
        add(f.min_duration, "took >= ?");
        add(f.max_duration, "took <= ?");
        add(f.start, "started >= ?");
        add(f.end, "started < ?");
        add_attempt("deployment", f.deployment);
        add_attempt("adapter", f.adapter);
        add_attempt("failure", f.failure);
    }

    void bind_to(sqlite::statement& s) const {
        for (const auto& v : values) {
            if (v.text)
                s.bind(*v.text);
            else
                s.bind(v.number);
        }
    }

    std::string sql;

private:
    struct value {
        std::optional<std::string> text;
        std::int64_t number = 0;
    };

    static value value_of(std::string text) { return {std::move(text)}; }
    static value value_of(bool flag) { return {{}, flag ? 1 : 0}; }
    static value value_of(base::milliseconds d) { return {{}, d.count()}; }
    static value value_of(base::wall_ms t) { return {{}, t.value}; }

    template <class T>
    void add(const std::optional<T>& wanted, std::string_view test) {
        if (!wanted) return;
        sql.append(sql.empty() ? " WHERE " : " AND ").append(test);
        values.push_back(value_of(*wanted));
    }

    void add_attempt(std::string_view member, const std::optional<std::string>& wanted) {
        if (wanted) add(std::optional(attempt_member(member, *wanted)), "instr(attempts, ?)");
    }

    std::vector<value> values;
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
        db.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
        prepare_schema(db, now);
        db.wait_for_others(longest_wait);
        return true;
    }

    void read(const sqlite::statement& row, request_entry& e) {
        read_request(row, e);
        row.text(attempts_column, attempts_text);
        attempts.restart();
        attempts.bind(attempts_text);
        while (attempts.row()) read_attempt(attempts, e.attempts.add());
        attempts.restart();
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
    sqlite::statement add_request{db, insert_request};
    sqlite::statement raise_number{db, "UPDATE numbers SET last = last + ?"};
    sqlite::statement number{db, "SELECT last FROM numbers"};
    sqlite::statement attempts{db, select_attempts};
    sqlite::statement trim{db, "DELETE FROM requests WHERE number <= ?"};
    std::string attempts_text;
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
    for (auto* s : {&c.add_request, &c.raise_number, &c.trim}) s->restart(); // after an error
    sqlite::transaction whole(c.db);
    const auto last = c.take_numbers(batch.size());
    auto number = last - static_cast<std::int64_t>(batch.size());
    for (const auto& e : batch) {
        c.attempts_text.clear();
        write_attempts(c.attempts_text, e->attempts);
        c.add_request.bind(++number);
        bind_request(c.add_request, *e);
        c.add_request.bind(c.attempts_text).finish();
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
    sqlite::statement rows(c.db, "SELECT " + std::string(request_columns) + " FROM requests" + wanted.sql
                                     + " ORDER BY number DESC LIMIT ? OFFSET ?");
    wanted.bind_to(rows);
    rows.bind(static_cast<std::int64_t>(limit)).bind(static_cast<std::int64_t>(offset));
    while (rows.row()) c.read(rows, found.rows.emplace_back());
    return found;
}

page sqlite_rows::get(std::int64_t number) {
    auto& c = *connection_;
    sqlite::statement row(c.db, "SELECT " + std::string(request_columns) + " FROM requests WHERE number = ?");
    row.bind(number);
    page found;
    if (row.row()) {
        c.read(row, found.rows.emplace_back());
        found.total = 1;
    }
    return found;
}

} // namespace turnout::journal
