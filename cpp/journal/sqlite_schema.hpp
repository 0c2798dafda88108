#pragma once

#include "base/time.hpp"
#include "journal/sqlite.hpp"

namespace turnout::journal {

/// Makes the tables in an empty database, and checks that the version of any other is the one that is known here
/// (std::runtime_error).
void prepare_schema(sqlite::database& db, base::wall_ms now);

} // namespace turnout::journal
