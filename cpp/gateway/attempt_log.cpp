#include "gateway/attempt_log.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/ascii.hpp"
#include "base/number.hpp"
#include "codec/json_string.hpp"

namespace turnout::gateway {
namespace {

using codec::json::write_json_string;

std::int64_t milliseconds_of(base::duration d) { return std::chrono::duration_cast<base::milliseconds>(d).count(); }

const deployment& target_of(const request_summary& s, const routing::attempt_record& a) {
    return s.deployments.at(s.model.key(a.target));
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
        if (const int status = http_status_of(a.report); status != 0)
            out += ",\"http_status\":" + std::to_string(status);
        if (a.failure == routing::failure_class::incompatible) out += ",\"health_impact\":\"neutral\"";
    }
    out += '}';
}

const routing::attempt_record* served(const request_summary& s) {
    const auto attempts = s.attempts;
    return !attempts.empty() && attempts.back().ok ? &attempts.back() : nullptr;
}

bool used_fallback(const request_summary& s) {
    const auto attempts = s.attempts;
    return std::any_of(attempts.begin(), attempts.end(), [&](const auto& a) { return a.target >= s.model.size(); });
}

void write_number(std::string& out, std::string_view before, std::int64_t value) {
    out += before;
    base::append_number(out, value);
}

std::string_view name_of(const deployment& d) { return d.settings.label.empty() ? d.public_id : d.settings.label; }

/// ` attempt="LABEL CLASS STATUS 12ms: PROBLEM"`.
void write_attempt_text(std::string& out, const request_summary& s, const routing::attempt_record& a) {
    out += " attempt=";
    write_json_string(out, name_of(target_of(s, a)));
    out.back() = ' '; // the closing quote comes at the end
    out += a.ok ? std::string_view("ok") : routing::to_string(a.failure);
    if (const int status = a.ok ? 0 : http_status_of(a.report); status != 0) write_number(out, " ", status);
    write_number(out, " ", milliseconds_of(a.ended - a.started));
    out += "ms";
    const auto why = a.ok ? std::string_view() : connection_problem(a.report);
    if (why.empty()) {
        out += '"';
        return;
    }
    out += ": ";
    const auto begin = out.size();
    write_json_string(out, why);
    out.erase(begin, 1); // the opening quote stands before the label
}

} // namespace

std::string_view loggable_code(std::string_view code) {
    constexpr std::size_t longest = 64;
    const bool word = code.size() <= longest
                      && std::all_of(code.begin(), code.end(), [](char c) { return base::is_in_word(c) || c == '.'; });
    return word ? code : "other";
}

int http_status_of(const base::failure_report& report) {
    return report.origin == base::failure_origin::websocket_closed ? 0 : report.status;
}

std::string_view connection_problem(const base::failure_report& report) {
    const bool no_answer = report.origin == base::failure_origin::connect_failed
                           || report.origin == base::failure_origin::tls_failed
                           || report.origin == base::failure_origin::connection_lost
                           || report.origin == base::failure_origin::malformed_http;
    return no_answer ? std::string_view(report.message) : std::string_view();
}

std::string routing_metadata(const request_summary& s) {
    std::string out = "{\"served_model\":";
    const auto* a = served(s);
    write_json_string(out, a != nullptr ? target_of(s, *a).settings.public_model : s.model.name);
    out += ",\"routing_strategy\":";
    write_json_string(out, routing::to_string(s.strategy));
    out += R"(,"unsupported_parameter_strategy":"drop")";
    out += used_fallback(s) ? ",\"fallback_used\":true" : ",\"fallback_used\":false";
    out += ",\"attempt_count\":" + std::to_string(s.attempts.size());
    if (a != nullptr) {
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

void write_log_line(std::string& line, const request_summary& s) {
    line += "request=";
    write_json_string(line, s.request_id);
    line += " model=";
    write_json_string(line, s.model.name);
    line += s.stream ? " stream=true" : " stream=false";
    write_number(line, " status=", s.status);
    if (!s.error_code.empty()) line.append(" code=").append(loggable_code(s.error_code));
    write_number(line, " ms=", milliseconds_of(s.took));
    if (const auto* a = served(s)) {
        line += " served=";
        write_json_string(line, name_of(target_of(s, *a)));
    }
    write_number(line, " attempts=", static_cast<std::int64_t>(s.attempts.size()));
    for (const auto& a : s.attempts) write_attempt_text(line, s, a);
    for (const auto a : s.anomalies) line.append(" anomaly=").append(a);
}

} // namespace turnout::gateway
