#include "journal/attempts_json.hpp"

#include <array>
#include <charconv>
#include <cstdint>

#include "codec/json_string.hpp"

namespace turnout::journal {
namespace {

void write_name(std::string& out, std::string_view name) {
    if (out.back() != '{') out += ',';
    out.append("\"").append(name).append("\":");
}

void write_text(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    write_name(out, name);
    codec::json::write_json_string(out, value);
}

void write_number(std::string& out, std::string_view name, std::int64_t value) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
    write_name(out, name);
    out.append(digits.begin(), end);
}

void write_count(std::string& out, std::string_view name, std::int64_t value) {
    if (value != 0) write_number(out, name, value);
}

void write_time(std::string& out, std::string_view name, const std::optional<base::wall_ms>& value) {
    if (value) write_number(out, name, value->value);
}

void write_attempt(std::string& out, const attempt_entry& a) {
    out += '{';
    write_text(out, "deployment", a.deployment);
    write_text(out, "label", a.label);
    write_text(out, "adapter", a.adapter);
    write_text(out, "publicModel", a.public_model);
    write_text(out, "failure", a.failure);
    write_text(out, "anomalies", a.anomalies);
    write_text(out, "circuit", a.circuit);
    write_text(out, "cause", a.cause);
    write_time(out, "circuitUntil", a.circuit_until);
    write_time(out, "capacityUntil", a.capacity_until);
    write_count(out, "status", a.status);
    write_count(out, "latencyMs", a.latency.count());
    write_count(out, "waitedMs", a.waited.count());
    if (a.committed) {
        write_name(out, "committed");
        out += "true";
    }
    out += '}';
}

} // namespace

void write_attempts(std::string& out, const attempt_list& attempts) {
    out += '[';
    for (const auto& a : attempts) {
        if (out.back() == '}') out += ',';
        write_attempt(out, a);
    }
    out += ']';
}

std::string attempt_member(std::string_view name, std::string_view value) {
    std::string member = "\"" + std::string(name) + "\":";
    codec::json::write_json_string(member, value);
    return member;
}

} // namespace turnout::journal
