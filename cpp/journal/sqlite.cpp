#include "journal/sqlite.hpp"

#include <stdexcept>
#include <utility>

#include <sqlite3.h>

namespace turnout::journal::sqlite {
namespace {

constexpr int wait_for_others_ms = 5'000;

[[noreturn]] void fail(sqlite3* handle) { throw std::runtime_error(sqlite3_errmsg(handle)); }

} // namespace

database::database(const std::filesystem::path& file) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
        const std::string words = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
        sqlite3_close(handle_);
        throw std::runtime_error(words);
    }
    sqlite3_busy_timeout(handle_, wait_for_others_ms);
}

database::~database() { sqlite3_close(handle_); }

void database::wait_for_others(std::chrono::milliseconds most) {
    sqlite3_busy_timeout(handle_, static_cast<int>(most.count()));
}

void database::interrupt() { sqlite3_interrupt(handle_); }

std::int64_t database::last_row() const { return sqlite3_last_insert_rowid(handle_); }

void database::run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_);
}

std::int64_t database::number(const char* sql) {
    statement s(*this, sql);
    if (!s.row()) throw std::runtime_error("no row");
    return s.integer(0);
}

statement::statement(database& of, std::string_view sql) : of_(of) {
    check(sqlite3_prepare_v3(of.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &handle_,
                             nullptr));
}

statement::~statement() { sqlite3_finalize(handle_); }

// The destructor is SQLITE_STATIC, which is a null pointer: the caller keeps the bytes.
statement& statement::bind(std::string_view value) {
    check(sqlite3_bind_text(handle_, ++bound_, value.empty() ? "" : value.data(), static_cast<int>(value.size()),
                            nullptr));
    return *this;
}

statement& statement::bind(std::int64_t value) {
    check(sqlite3_bind_int64(handle_, ++bound_, value));
    return *this;
}

statement& statement::bind(std::optional<std::int64_t> value) {
    if (value) return bind(*value);
    check(sqlite3_bind_null(handle_, ++bound_));
    return *this;
}

bool statement::row() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) fail(of_.handle());
    return false;
}

void statement::finish() {
    while (row()) {}
    restart();
}

void statement::restart() {
    sqlite3_reset(handle_);
    bound_ = 0;
}

void statement::text(int column, std::string& out) const {
    const auto* bytes = sqlite3_column_text(handle_, column);
    out.assign(reinterpret_cast<const char*>(bytes != nullptr ? bytes : reinterpret_cast<const unsigned char*>("")),
               static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

std::int64_t statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

std::optional<std::int64_t> statement::maybe_integer(int column) const {
    if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
    return integer(column);
}

void statement::check(int code) const {
    if (code != SQLITE_OK) fail(of_.handle());
}

transaction::transaction(database& of, const char* begin) : of_(of) { of_.run(begin); }

// An error may have ended it already; then there is nothing to undo.
transaction::~transaction() {
    if (open_ && sqlite3_get_autocommit(of_.handle()) == 0)
        sqlite3_exec(of_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void transaction::commit() {
    of_.run("COMMIT");
    open_ = false;
}

} // namespace turnout::journal::sqlite
