#include "gateway/journal_entry.hpp"

#include <chrono>

namespace turnout::gateway {
namespace {

base::milliseconds whole(base::duration d) { return std::chrono::duration_cast<base::milliseconds>(d); }

bool opens(routing::circuit_change change) {
    return change == routing::circuit_change::opened || change == routing::circuit_change::reopened;
}

void write_effect(journal::attempt_entry& out, const routing::attempt_record& a, const journal_facts& facts) {
    const auto& e = a.effect;
    const base::wall_ms until{facts.wall.value + whole(e.until - facts.now).count()};
    if (e.change != routing::circuit_change::none) out.circuit = routing::to_string(e.change);
    if (opens(e.change)) {
        out.cause = routing::to_string(e.cause);
        out.circuit_until = until;
    }
    if (e.capacity) out.capacity_until = until;
    if (a.probe && a.committed && out.circuit.empty()) out.circuit = "closed"; // when it was shown to the client
}

void write_attempt(journal::attempt_entry& out, const request_summary& s, const routing::attempt_record& a,
                   const journal_facts& facts) {
    const auto& d = s.deployments.at(s.model.key(a.target));
    out.deployment = d.public_id;
    out.label = d.settings.label;
    out.adapter = config::to_string(d.settings.adapter_key);
    out.public_model = d.settings.public_model;
    if (!a.ok) {
        out.failure = routing::to_string(a.failure);
        out.status = http_status_of(a.report);
        out.detail = connection_problem(a.report);
    }
    out.latency = whole(a.ended - a.started);
    out.waited = whole(a.waited);
    out.committed = a.committed;
    write_effect(out, a, facts);
}

std::string_view outcome_of(const request_summary& s, const journal_facts& facts) {
    if (facts.client_left) return "cancelled";
    return !s.attempts.empty() && s.attempts.back().ok ? "success" : "error";
}

} // namespace

void write_entry(journal::request_entry& out, const request_summary& s, const journal_facts& facts) {
    out.request_id = s.request_id;
    out.public_model = s.model.name;
    out.call_type = facts.call_type;
    out.outcome = outcome_of(s, facts);
    out.error_code = loggable_code(s.error_code);
    out.strategy = routing::to_string(s.strategy);
    out.key_name = facts.key_name;
    out.took = whole(s.took);
    out.started = {facts.wall.value - out.took.count()};
    out.status = s.status;
    out.stream = s.stream;
    for (const auto& a : s.attempts) {
        write_attempt(out.attempts.add(), s, a, facts);
        if (a.target >= s.model.size()) out.fallback_used = true;
    }
    if (out.fallback_used && facts.chain) out.fallback_reason = routing::to_string(*facts.chain);
    out.degraded = out.attempts.size() > 1 || out.fallback_used;
    if (out.outcome == "success") {
        out.served_model = out.attempts.back().public_model;
        if (facts.usage) {
            out.prompt_tokens = codec::trusted_count(facts.usage->prompt);
            out.completion_tokens = codec::trusted_count(facts.usage->completion);
            out.total_tokens = codec::trusted_count(facts.usage->total);
        }
    }
    for (const auto name : s.anomalies) {
        auto& list = out.attempts.back().anomalies;
        if (!list.empty()) list += ',';
        list += name;
    }
}

} // namespace turnout::gateway
