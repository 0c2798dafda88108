#pragma once

#include <cstddef>
#include <string>

#include "journal/row_store.hpp"

namespace turnout::admin {

/// `{"data": [ROW...], "pagination": {"limit", "offset", "total", "nextOffset"}}`; `nextOffset` is null on the last page.
std::string log_page_json(const journal::page& found, std::size_t limit, std::size_t offset);

/// `{"data": {ROW..., "attempts": [...]}}`.
std::string log_detail_json(const journal::request_entry& e);

} // namespace turnout::admin
