#pragma once

#include "base/time.hpp"
#include "journal/sqlite.hpp"

namespace turnout::journal {

/// Checks that the database is empty or an operation log of the version that is known here, and changes nothing.
/// std::runtime_error if it is neither.
void check_schema(sqlite::database& db);

/// Makes the tables in an empty database, and checks that the version of any other is the one that is known here
/// (std::runtime_error).
void prepare_schema(sqlite::database& db, base::wall_ms now);

} // namespace turnout::journal
