#include "bindings/names.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace turnout::bindings {
namespace {

using base::failure_origin;

constexpr std::array<std::pair<failure_origin, std::string_view>, 19> origins{{
    {failure_origin::upstream_answer, "upstream_answer"},
    {failure_origin::error_in_answer, "error_in_answer"},
    {failure_origin::error_event, "error_event"},
    {failure_origin::connect_failed, "connect_failed"},
    {failure_origin::tls_failed, "tls_failed"},
    {failure_origin::connection_lost, "connection_lost"},
    {failure_origin::malformed_http, "malformed_http"},
    {failure_origin::malformed_body, "malformed_body"},
    {failure_origin::body_truncated, "body_truncated"},
    {failure_origin::websocket_closed, "websocket_closed"},
    {failure_origin::not_carried, "not_carried"},
    {failure_origin::stream_truncated, "stream_truncated"},
    {failure_origin::response_timeout, "response_timeout"},
    {failure_origin::idle_timeout, "idle_timeout"},
    {failure_origin::total_timeout, "total_timeout"},
    {failure_origin::paused_timeout, "paused_timeout"},
    {failure_origin::client_gone, "client_gone"},
    {failure_origin::client_stalled, "client_stalled"},
    {failure_origin::gateway, "gateway"},
}};

} // namespace

std::string_view name_of(failure_origin origin) {
    const auto* found =
        std::find_if(origins.begin(), origins.end(), [&](const auto& row) { return row.first == origin; });
    return found == origins.end() ? std::string_view{} : found->second;
}

std::optional<failure_origin> failure_origin_named(std::string_view name) {
    const auto* found =
        std::find_if(origins.begin(), origins.end(), [&](const auto& row) { return row.second == name; });
    return found == origins.end() ? std::nullopt : std::optional{found->first};
}

std::string_view name_of(routing::route_verdict verdict) {
    switch (verdict) {
    case routing::route_verdict::served: return "served";
    case routing::route_verdict::failed: return "failed";
    case routing::route_verdict::no_candidate: return "no_candidate";
    case routing::route_verdict::expired: return "expired";
    case routing::route_verdict::client_gone: return "client_gone";
    case routing::route_verdict::server_ending: return "server_ending";
    case routing::route_verdict::state_unavailable: return "state_unavailable";
    }
    return {};
}

std::string_view name_of(routing::circuit_phase phase) {
    switch (phase) {
    case routing::circuit_phase::closed: return "closed";
    case routing::circuit_phase::open: return "open";
    case routing::circuit_phase::half_open: return "half_open";
    }
    return {};
}

std::string_view name_of(gateway::simulated_state state) {
    switch (state) {
    case gateway::simulated_state::attempt: return "attempt";
    case gateway::simulated_state::waiting: return "waiting";
    case gateway::simulated_state::finished: return "finished";
    case gateway::simulated_state::abandoned: return "abandoned";
    }
    return {};
}

std::optional<std::string_view> name_of(routing::obstacle why) {
    switch (why) {
    case routing::obstacle::none: return std::nullopt;
    case routing::obstacle::circuit: return "circuit";
    case routing::obstacle::probe: return "probe";
    case routing::obstacle::limit: return "limit";
    case routing::obstacle::capacity: return "capacity";
    }
    return std::nullopt;
}

std::string_view name_of(codec::frame_class c) {
    switch (c) {
    case codec::frame_class::metadata: return "metadata";
    case codec::frame_class::commits: return "commits";
    case codec::frame_class::finished: return "finished";
    case codec::frame_class::end: return "end";
    case codec::frame_class::error: return "error";
    }
    return {};
}

const gateway::served_contract& contract_named(std::string_view name) {
    using gateway::contract_kind;
    for (const auto kind : {contract_kind::chat, contract_kind::messages, contract_kind::responses})
        if (const auto& known = gateway::contract_of(kind); known.protocol.name() == name) return known;
    throw std::invalid_argument("contract must be chat, messages or responses");
}

} // namespace turnout::bindings
