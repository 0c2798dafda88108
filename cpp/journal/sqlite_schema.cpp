#include "journal/sqlite_schema.hpp"

#include <stdexcept>
#include <string>

#include "journal/operation_id.hpp"

namespace turnout::journal {
namespace {

constexpr std::int64_t version = 3; // those below were in no release

// Every column and every index is paid for by each request, and few rows are ever looked at: a million are searched in
// about a second without.
constexpr const char* tables = R"(
CREATE TABLE requests (
  number INTEGER PRIMARY KEY, request_id TEXT NOT NULL, started INTEGER NOT NULL, took INTEGER NOT NULL,
  details TEXT NOT NULL);
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
    if (found > 0 && found < version)
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
