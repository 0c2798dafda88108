#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/http1.hpp"
#include "gateway/error_head.hpp"
#include "routing/failure_class.hpp"

namespace turnout::gateway {

/// The moment at which all answers of the table come: Sun, 06 Nov 1994 08:49:37 GMT.
constexpr base::wall_ms answered{784'111'777'000};

/// One answer of a provider that is not 2xx, as it is on the wire, and what it must be taken for.
struct answered_row {
    std::string name;
    int status = 0;
    std::string headers; ///< lines with their ends
    std::string body;
    routing::failure_class expected = routing::failure_class::transient;
    bool quota_exhausted = false;
    std::optional<base::milliseconds> wait = {};
};

inline std::ostream& operator<<(std::ostream& out, const answered_row& row) { return out << row.name; }

/// The way of an answer from its bytes to its class.
inline routing::classified classify_answer(const answered_row& row) {
    const std::string text = "HTTP/1.1 " + std::to_string(row.status) + " Failed\r\n" + row.headers + "\r\n";
    codec::http1::parser parser(codec::http1::message_kind::response);
    std::string_view rest = text;
    if (parser.next(rest).type != codec::http1::event_type::head) throw std::invalid_argument("no head: " + row.name);
    base::failure_report report;
    report.origin = base::failure_origin::upstream_answer;
    read_error_head(parser.current(), answered, report);
    codec::read_error_body(row.body, report);
    return routing::classify(report);
}

} // namespace turnout::gateway
