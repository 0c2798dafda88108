#include "journal/entry.hpp"

namespace turnout::journal {

void attempt_entry::clear() {
    for (auto* text : {&deployment, &label, &adapter, &public_model, &failure, &detail, &anomalies, &circuit, &cause})
        text->clear();
    circuit_until.reset();
    capacity_until.reset();
    status = 0;
    latency = {};
    waited = {};
    committed = false;
}

void request_entry::clear() {
    number = 0;
    for (auto* text : {&request_id, &public_model, &served_model, &call_type, &outcome, &error_code, &strategy,
                       &fallback_reason, &key_name})
        text->clear();
    prompt_tokens.reset();
    completion_tokens.reset();
    total_tokens.reset();
    started = {};
    took = {};
    status = 0;
    stream = false;
    fallback_used = false;
    degraded = false;
    attempts.clear();
}

} // namespace turnout::journal
