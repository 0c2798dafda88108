#include "journal/sqlite_rows.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "journal/sqlite.hpp"
#include "journal/sqlite_schema.hpp"

namespace turnout::journal {
namespace {

namespace fs = std::filesystem;

// Rows can wait for another process longer than those who read them, or who stop the gateway.
constexpr std::chrono::milliseconds longest_wait{500};

constexpr std::string_view request_columns =
    "number, request_id, public_model, served_model, call_type, outcome, error_code, strategy, fallback_reason, "
    "key_name, prompt_tokens, completion_tokens, total_tokens, started, took, status, stream, fallback_used, degraded";
constexpr std::string_view insert_request =
    "INSERT INTO requests (request_id, public_model, served_model, call_type, outcome, error_code, strategy, "
    "fallback_reason, key_name, prompt_tokens, completion_tokens, total_tokens, started, took, status, stream, "
    "fallback_used, degraded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view insert_attempt =
    "INSERT INTO attempts (request, position, deployment, label, adapter, public_model, failure, anomalies, circuit, "
    "cause, circuit_until, capacity_until, status, latency, waited, committed) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view select_attempts =
    "SELECT deployment, label, adapter, public_model, failure, anomalies, circuit, cause, circuit_until, "
    "capacity_until, status, latency, waited, committed FROM attempts WHERE request = ? ORDER BY position";

std::optional<std::int64_t> as_integer(const std::optional<std::uint64_t>& n) {
    if (!n) return std::nullopt;
    return static_cast<std::int64_t>(*n);
}

std::optional<std::uint64_t> as_count(std::optional<std::int64_t> n) {
    if (!n) return std::nullopt;
    return static_cast<std::uint64_t>(*n);
}

std::optional<std::int64_t> as_integer(const std::optional<base::wall_ms>& t) {
    if (!t) return std::nullopt;
    return t->value;
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

void bind_attempt(sqlite::statement& s, const attempt_entry& a) {
    for (const auto* text :
         {&a.deployment, &a.label, &a.adapter, &a.public_model, &a.failure, &a.anomalies, &a.circuit, &a.cause})
        s.bind(*text);
    s.bind(as_integer(a.circuit_until)).bind(as_integer(a.capacity_until));
    for (const std::int64_t n : {std::int64_t{a.status}, std::int64_t{a.latency.count()},
                                 std::int64_t{a.waited.count()}, std::int64_t{a.committed}})
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
        add(f.deployment, "EXISTS (SELECT 1 FROM attempts WHERE request = number AND deployment = ?)");
        add(f.adapter, "EXISTS (SELECT 1 FROM attempts WHERE request = number AND adapter = ?)");
        add(f.failure, "EXISTS (SELECT 1 FROM attempts WHERE request = number AND failure = ?)");
    }

    void bind_to(sqlite::statement& s) const {
        for (const auto& v : values) {
            if (v.text != nullptr)
                s.bind(*v.text);
            else
                s.bind(v.number);
        }
    }

    std::string sql;

private:
    struct value {
        const std::string* text = nullptr;
        std::int64_t number = 0;
    };

    static value value_of(const std::string& text) { return {&text}; }
    static value value_of(bool flag) { return {nullptr, flag ? 1 : 0}; }
    static value value_of(base::milliseconds d) { return {nullptr, d.count()}; }
    static value value_of(base::wall_ms t) { return {nullptr, t.value}; }

    template <class T>
    void add(const std::optional<T>& wanted, std::string_view test) {
        if (!wanted) return;
        sql.append(sql.empty() ? " WHERE " : " AND ").append(test);
        values.push_back(value_of(*wanted));
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

    void load_attempts(request_entry& e) {
        attempts.restart();
        attempts.bind(e.number);
        while (attempts.row()) read_attempt(attempts, e.attempts.add());
        attempts.restart();
    }

    sqlite::database db;
    bool ready;
    sqlite::statement add_request{db, insert_request};
    sqlite::statement add_attempt{db, insert_attempt};
    sqlite::statement attempts{db, select_attempts};
    sqlite::statement trim_requests{db, "DELETE FROM requests WHERE number <= ?"};
    sqlite::statement trim_attempts{db, "DELETE FROM attempts WHERE request <= ?"};
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
    for (auto* s : {&c.add_request, &c.add_attempt, &c.trim_requests, &c.trim_attempts}) s->restart(); // after an error
    sqlite::transaction whole(c.db);
    std::int64_t last = 0;
    for (const auto& e : batch) {
        bind_request(c.add_request, *e);
        c.add_request.finish();
        last = c.db.last_row();
        for (std::size_t i = 0; i < e->attempts.size(); ++i) {
            c.add_attempt.bind(last).bind(static_cast<std::int64_t>(i));
            bind_attempt(c.add_attempt, e->attempts[i]);
            c.add_attempt.finish();
        }
    }
    c.trim_requests.bind(last - max_rows_).finish(); // numbers have no gaps
    c.trim_attempts.bind(last - max_rows_).finish();
    whole.commit();
}

page sqlite_rows::list(const filter& f, std::size_t limit, std::size_t offset) {
    auto& c = *connection_;
    const condition wanted(f);
    page found;
    sqlite::statement count(c.db, "SELECT count(*) FROM requests" + wanted.sql);
    wanted.bind_to(count);
    count.row();
    found.total = static_cast<std::uint64_t>(count.integer(0));
    sqlite::statement rows(c.db, "SELECT " + std::string(request_columns) + " FROM requests" + wanted.sql
                                     + " ORDER BY number DESC LIMIT ? OFFSET ?");
    wanted.bind_to(rows);
    rows.bind(static_cast<std::int64_t>(limit)).bind(static_cast<std::int64_t>(offset));
    while (rows.row()) read_request(rows, found.rows.emplace_back());
    for (auto& e : found.rows) c.load_attempts(e);
    return found;
}

page sqlite_rows::get(std::int64_t number) {
    auto& c = *connection_;
    sqlite::statement row(c.db, "SELECT " + std::string(request_columns) + " FROM requests WHERE number = ?");
    row.bind(number);
    page found;
    if (row.row()) {
        read_request(row, found.rows.emplace_back());
        c.load_attempts(found.rows.front());
        found.total = 1;
    }
    return found;
}

} // namespace turnout::journal
