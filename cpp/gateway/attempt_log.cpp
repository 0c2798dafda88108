#include "gateway/attempt_log.hpp"

#include <chrono>

#include "codec/json_string.hpp"

namespace turnout::gateway {
namespace {

using codec::json::to_json_string;
using codec::json::write_json_string;

std::int64_t milliseconds_of(base::duration d) {
    return std::chrono::duration_cast<base::milliseconds>(d).count();
}

const deployment& target_of(const request_summary& s, const routing::attempt_record& a) {
    return s.deployments.at(s.pool.at(a.target));
}

void write_attempt(std::string& out, const request_summary& s, std::size_t index) {
    const auto& a = s.attempts[index];
    out += "{\"index\":" + std::to_string(index);
    out += a.ok ? ",\"ok\":true" : ",\"ok\":false";
    out += ",\"latency_ms\":" + std::to_string(milliseconds_of(a.ended - a.started));
    out += ",\"deployment\":";
    write_json_string(out, target_of(s, a).public_id);
    if (!a.ok) {
        out += ",\"error_class\":";
        write_json_string(out, routing::to_string(a.failure));
        if (a.report.status != 0) out += ",\"http_status\":" + std::to_string(a.report.status);
        if (a.failure == routing::failure_class::incompatible) out += ",\"health_impact\":\"neutral\"";
    }
    out += '}';
}

const routing::attempt_record* served(const request_summary& s) {
    return !s.attempts.empty() && s.attempts.back().ok ? &s.attempts.back() : nullptr;
}

std::string_view name_of(const deployment& d) { return d.settings.label.empty() ? d.public_id : d.settings.label; }

} // namespace

std::string routing_metadata(const request_summary& s) {
    std::string out = "{\"served_model\":";
    write_json_string(out, s.public_model);
    out += R"(,"routing_strategy":"simple-shuffle","unsupported_parameter_strategy":"drop","fallback_used":false)";
    out += ",\"attempt_count\":" + std::to_string(s.attempts.size());
    if (const auto* a = served(s)) {
        out += ",\"served_deployment\":";
        write_json_string(out, target_of(s, *a).public_id);
    }
    out += ",\"attempts\":[";
    for (std::size_t i = 0; i < s.attempts.size(); ++i) {
        if (i > 0) out += ',';
        write_attempt(out, s, i);
    }
    return out + "]}";
}

std::string log_line(const request_summary& s) {
    std::string line = "request=" + to_json_string(s.request_id);
    line += " model=" + to_json_string(s.public_model);
    line += s.stream ? " stream=true" : " stream=false";
    line += " status=" + std::to_string(s.status);
    if (!s.error_code.empty()) line += " code=" + std::string(s.error_code);
    line += " ms=" + std::to_string(milliseconds_of(s.took));
    if (const auto* a = served(s)) line += " served=" + to_json_string(name_of(target_of(s, *a)));
    line += " attempts=" + std::to_string(s.attempts.size());
    for (const auto& a : s.attempts) {
        std::string text(name_of(target_of(s, a)));
        text += a.ok ? std::string(" ok") : " " + std::string(routing::to_string(a.failure));
        if (!a.ok && a.report.status != 0) text += " " + std::to_string(a.report.status);
        text += " " + std::to_string(milliseconds_of(a.ended - a.started)) + "ms";
        line += " attempt=" + to_json_string(text);
    }
    for (const auto a : s.anomalies) line += " anomaly=" + std::string(a);
    return line;
}

} // namespace turnout::gateway
