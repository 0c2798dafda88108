#include "gateway/error_head.hpp"

#include "routing/retry_after.hpp"

namespace turnout::gateway {

void read_error_head(const codec::http1::head& head, base::wall_ms now, base::failure_report& into) {
    routing::retry_hints hints;
    for (const auto& [name, value] : head.headers()) hints.see(name, value);
    into.status = head.status();
    into.retry_after = hints.asked(now);
    into.refill = hints.refill(now);
    into.type = head.find("x-amzn-errortype").value_or("");
}

} // namespace turnout::gateway
