#include "journal/entry_json.hpp"

#include <cstdint>

#include "base/number.hpp"
#include "codec/json_string.hpp"

namespace turnout::journal {
namespace {

// `begin` is everything up to the value: `,"name":`.

void write_text(std::string& out, std::string_view begin, std::string_view value) {
    out += begin;
    codec::json::write_json_string(out, value);
}

void write_any_text(std::string& out, std::string_view begin, std::string_view value) {
    if (!value.empty()) write_text(out, begin, value);
}

void write_number(std::string& out, std::string_view begin, std::int64_t value) {
    out += begin;
    base::append_number(out, value);
}

void write_any_number(std::string& out, std::string_view begin, std::int64_t value) {
    if (value != 0) write_number(out, begin, value);
}

void write_known(std::string& out, std::string_view begin, const std::optional<std::uint64_t>& value) {
    if (value) write_number(out, begin, static_cast<std::int64_t>(*value));
}

void write_known(std::string& out, std::string_view begin, const std::optional<base::wall_ms>& value) {
    if (value) write_number(out, begin, value->value);
}

void write_attempt(std::string& out, const attempt_entry& a) {
    write_text(out, R"({"deployment":)", a.deployment);
    write_any_text(out, R"(,"label":)", a.label);
    write_any_text(out, R"(,"adapter":)", a.adapter);
    write_any_text(out, R"(,"publicModel":)", a.public_model);
    write_any_text(out, R"(,"failure":)", a.failure);
    write_any_text(out, R"(,"detail":)", a.detail);
    write_any_text(out, R"(,"anomalies":)", a.anomalies);
    write_any_text(out, R"(,"circuit":)", a.circuit);
    write_any_text(out, R"(,"cause":)", a.cause);
    write_known(out, R"(,"circuitUntil":)", a.circuit_until);
    write_known(out, R"(,"capacityUntil":)", a.capacity_until);
    write_any_number(out, R"(,"status":)", a.status);
    write_any_number(out, R"(,"latencyMs":)", a.latency.count());
    write_any_number(out, R"(,"waitedMs":)", a.waited.count());
    out += a.committed ? R"(,"committed":true})" : "}";
}

} // namespace

void write_details(std::string& out, const request_entry& e) {
    write_text(out, R"({"model":)", e.public_model);
    write_any_text(out, R"(,"servedModel":)", e.served_model);
    write_text(out, R"(,"callType":)", e.call_type);
    write_text(out, R"(,"outcome":)", e.outcome);
    write_any_text(out, R"(,"errorCode":)", e.error_code);
    write_any_text(out, R"(,"strategy":)", e.strategy);
    write_any_text(out, R"(,"fallbackReason":)", e.fallback_reason);
    write_any_text(out, R"(,"keyName":)", e.key_name);
    write_known(out, R"(,"promptTokens":)", e.prompt_tokens);
    write_known(out, R"(,"completionTokens":)", e.completion_tokens);
    write_known(out, R"(,"totalTokens":)", e.total_tokens);
    write_any_number(out, R"(,"status":)", e.status);
    out += e.stream ? R"(,"stream":true)" : R"(,"stream":false)";
    if (e.fallback_used) out += R"(,"fallbackUsed":true)";
    out += e.degraded ? R"(,"degraded":true)" : R"(,"degraded":false)";
    out += R"(,"attempts":[)";
    for (const auto& a : e.attempts) {
        if (out.back() == '}') out += ',';
        write_attempt(out, a);
    }
    out += "]}";
}

std::string member(std::string_view name, std::string_view value) {
    std::string text = "\"" + std::string(name) + "\":";
    codec::json::write_json_string(text, value);
    return text;
}

std::string member(std::string_view name, bool value) {
    return "\"" + std::string(name) + (value ? "\":true" : "\":false");
}

} // namespace turnout::journal
