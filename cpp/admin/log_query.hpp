#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "journal/filter.hpp"

namespace turnout::admin {

/// What `GET /admin/logs` asks for.
struct log_query {
    journal::filter wanted;
    std::size_t limit = 50; ///< 1 to 500
    std::size_t offset = 0; ///< 0 to 1,000,000,000
};

/// A parameter that is not understood.
struct bad_parameter {
    std::string name;    ///< empty if the query as a whole cannot be read
    std::string message; ///< a sentence without the name
};

/// Of a query that cannot be read as a whole.
inline constexpr std::string_view broken_encoding = "The percent encoding of the query is broken.";

/// Reads the query of a target. Unknown, repeated and empty parameters are bad too, since a filter that is silently
/// ignored shows rows that were not asked for.
std::variant<log_query, bad_parameter> parse_log_query(std::string_view target);

} // namespace turnout::admin
