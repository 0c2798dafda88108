#include "journal/sqlite_schema.hpp"

#include <stdexcept>
#include <string>

#include "journal/operation_id.hpp"

namespace turnout::journal {
namespace {

constexpr std::int64_t version = 2;
constexpr std::int64_t before_any_release = 1;

// No index: each would cost a write at a random place for every request, and a million rows are searched in under a
// second. Attempts are a JSON array in the row of their request, so that a request is one insertion.
constexpr const char* tables = R"(
CREATE TABLE requests (
  number INTEGER PRIMARY KEY, request_id TEXT NOT NULL, public_model TEXT NOT NULL, served_model TEXT NOT NULL,
  call_type TEXT NOT NULL, outcome TEXT NOT NULL, error_code TEXT NOT NULL, strategy TEXT NOT NULL,
  fallback_reason TEXT NOT NULL, key_name TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER,
  total_tokens INTEGER, started INTEGER NOT NULL, took INTEGER NOT NULL, status INTEGER NOT NULL,
  stream INTEGER NOT NULL, fallback_used INTEGER NOT NULL, degraded INTEGER NOT NULL, attempts TEXT NOT NULL);
CREATE TABLE numbers (last INTEGER NOT NULL);
)";

void create(sqlite::database& db, base::wall_ms now) {
    db.run(tables);
    sqlite::statement(db, "INSERT INTO numbers (last) VALUES (?)").bind(first_number(now) - 1).finish();
    db.run(("PRAGMA user_version = " + std::to_string(version)).c_str());
}

/// The version of the tables; 0 if there are none yet.
std::int64_t checked_version(sqlite::database& db) {
    const auto found = db.number("PRAGMA user_version");
    if (found > version)
        throw std::runtime_error("was written by a newer version of Turnout (its format is " + std::to_string(found)
                                 + ", the newest known here is " + std::to_string(version) + ")");
    const auto tables_of_ours =
        db.number("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('requests', 'numbers')");
    const bool empty = db.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (found == version && tables_of_ours != 2) throw std::runtime_error("lacks its table of requests or of numbers");
    if (found == before_any_release)
        throw std::runtime_error("was written by a version of Turnout before its first release; move it away");
    if (found != version && (found != 0 || !empty)) throw std::runtime_error("is a database, but not an operation log");
    return found;
}

} // namespace

void check_schema(sqlite::database& db) {
    const sqlite::transaction one_moment(db, "BEGIN");
    checked_version(db);
}

void prepare_schema(sqlite::database& db, base::wall_ms now) {
    sqlite::transaction whole(db); // another process may be making them at this moment
    if (checked_version(db) == 0) create(db, now);
    whole.commit();
}

} // namespace turnout::journal
