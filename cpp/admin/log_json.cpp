#include "admin/log_json.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "journal/operation_id.hpp"

namespace turnout::admin {
namespace {

using json = nlohmann::ordered_json;

std::string dumped(const json& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace); // what is no UTF-8 must not fail the whole page
}

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

json number_or_null(int n) { return n == 0 ? json() : json(n); }

json number_or_null(const std::optional<std::uint64_t>& n) { return n ? json(*n) : json(); }

/// `2026-01-31T12:00:00.123Z`.
std::string timestamp(base::wall_ms t) {
    using namespace std::chrono;
    const sys_time<milliseconds> at{milliseconds(t.value)};
    const auto day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss clock(at - day);
    char out[48];
    std::snprintf(out, sizeof out, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return out;
}

json time_or_null(const std::optional<base::wall_ms>& t) { return t ? json(timestamp(*t)) : json(); }

json names(std::string_view list) {
    auto all = json::array();
    while (!list.empty()) {
        const auto name = list.substr(0, list.find(','));
        all.push_back(name);
        list.remove_prefix(std::min(list.size(), name.size() + 1));
    }
    return all;
}

json circuit_effect(const journal::attempt_entry& a) {
    if (a.circuit.empty()) return {};
    return {{"effect", a.circuit}, {"cause", text_or_null(a.cause)}, {"until", time_or_null(a.circuit_until)}};
}

json attempt(const journal::attempt_entry& a, std::size_t index) {
    return {
        {"index", index},
        {"deploymentId", a.deployment},
        {"deploymentLabel", text_or_null(a.label)},
        {"adapterKey", a.adapter},
        {"publicModel", a.public_model},
        {"ok", a.failure.empty()},
        {"failureKind", text_or_null(a.failure)},
        {"failureDetail", text_or_null(a.detail)},
        {"httpStatus", number_or_null(a.status)},
        {"latencyMs", a.latency.count()},
        {"waitedMs", a.waited.count()},
        {"committed", a.committed},
        {"anomalies", names(a.anomalies)},
        {"circuit", circuit_effect(a)},
        {"capacityUntil", time_or_null(a.capacity_until)},
    };
}

const journal::attempt_entry* served(const journal::request_entry& e) {
    return !e.attempts.empty() && e.attempts.back().failure.empty() ? &e.attempts.back() : nullptr;
}

json row(const journal::request_entry& e) {
    const auto* by = served(e);
    return {
        {"id", journal::operation_id(e.number)},
        {"requestId", e.request_id},
        {"virtualKeyId", nullptr},
        {"actor", text_or_null(e.key_name)},
        {"publicModel", text_or_null(e.public_model)},
        {"servedModel", text_or_null(e.served_model)},
        {"servedDeploymentId", by != nullptr ? json(by->deployment) : json()},
        {"callType", e.call_type},
        {"lifecycleState", "finished"},
        {"outcome", text_or_null(e.outcome)},
        {"degraded", e.degraded},
        {"terminalVerified", e.outcome == "success"},
        {"stream", e.stream},
        {"cacheHit", false},
        {"httpStatus", number_or_null(e.status)},
        {"errorCode", text_or_null(e.error_code)},
        {"routingStrategy", e.strategy},
        {"fallbackUsed", e.fallback_used},
        {"fallbackReason", text_or_null(e.fallback_reason)},
        {"attemptCount", e.attempts.size()},
        {"promptTokens", number_or_null(e.prompt_tokens)},
        {"completionTokens", number_or_null(e.completion_tokens)},
        {"totalTokens", number_or_null(e.total_tokens)},
        {"durationMs", e.took.count()},
        {"startedAt", timestamp(e.started)},
    };
}

} // namespace

std::string log_page_json(const journal::page& found, std::size_t limit, std::size_t offset) {
    auto rows = json::array();
    for (const auto& e : found.rows) rows.push_back(row(e));
    const auto next = offset + found.rows.size();
    const bool more = !found.rows.empty() && next < found.total;
    return dumped(
        {{"data", std::move(rows)},
         {"pagination",
          {{"limit", limit}, {"offset", offset}, {"total", found.total}, {"nextOffset", more ? json(next) : json()}}}});
}

std::string log_detail_json(const journal::request_entry& e) {
    auto detail = row(e);
    auto attempts = json::array();
    for (std::size_t i = 0; i < e.attempts.size(); ++i) attempts.push_back(attempt(e.attempts[i], i));
    detail["attempts"] = std::move(attempts);
    return dumped({{"data", std::move(detail)}});
}

} // namespace turnout::admin
