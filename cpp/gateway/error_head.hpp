#pragma once

#include "base/failure_report.hpp"
#include "base/time.hpp"
#include "codec/http1.hpp"

namespace turnout::gateway {

/// Reads the head of an answer that is not 2xx into the report: the status, how long it asks to wait, when the
/// account's buckets are refilled, and the error's type, which one provider puts there.
void read_error_head(const codec::http1::head& head, base::wall_ms now, base::failure_report& into);

} // namespace turnout::gateway
