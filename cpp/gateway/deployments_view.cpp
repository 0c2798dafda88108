#include "gateway/deployments_view.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

#include "codec/json_string.hpp"

namespace turnout::gateway {
namespace {

using codec::json::write_json_string;

template <class Integer>
std::string number_or_null(const std::optional<Integer>& value) {
    return value ? std::to_string(*value) : "null";
}

/// Three decimals are more than any of these is worth.
std::string decimal(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

std::string decimal_or_null(const std::optional<double>& value) { return value ? decimal(*value) : "null"; }

/// US dollars per token, as a string, of US cents per million tokens.
std::string price(const std::optional<double>& cents_per_mtokens) {
    if (!cents_per_mtokens) return "null";
    constexpr double dollars_per_cent_and_token = 1e-8;
    char text[384]; // the largest double has 309 digits before its point
    std::snprintf(text, sizeof text, "%.12f", *cents_per_mtokens * dollars_per_cent_and_token);
    std::string trimmed = text;
    trimmed.erase(trimmed.find_last_not_of('0') + 1);
    if (trimmed.back() == '.') trimmed.pop_back();
    return '"' + trimmed + '"';
}

std::string pricing_of(const routing::pricing& p) {
    std::string out = "{\"prompt\":" + price(p.input_cents_per_mtokens);
    out += ",\"completion\":" + price(p.output_cents_per_mtokens);
    return out + '}';
}

std::string metrics_of(const routing::deployment_snapshot& s) {
    std::string out = "{\"inflight\":" + std::to_string(s.in_flight);
    out += ",\"rpm\":" + std::to_string(s.rpm);
    out += ",\"tpm\":" + std::to_string(s.tpm);
    out += ",\"health_score\":" + decimal(s.health());
    out += ",\"latency_ms\":" + decimal_or_null(s.latency_ms);
    out += ",\"throughput_tps\":" + decimal_or_null(s.throughput);
    return out + '}';
}

std::string whole_milliseconds(const std::optional<base::duration>& d) {
    return d ? std::to_string(std::chrono::ceil<base::milliseconds>(*d).count()) : "null";
}

std::string_view endpoint_of(config::transport t) {
    switch (t) {
    case config::transport::chat: return "/v1/chat/completions";
    case config::transport::responses: return "/v1/responses";
    case config::transport::messages: return "/v1/messages";
    }
    return {};
}

/// A list of what `word` says of each.
template <class Word>
std::string listed(config::transport_set transports, Word word) {
    std::string out = "[";
    for (const auto t : config::transports) {
        if (!transports.has(t)) continue;
        if (out.size() > 1) out += ',';
        write_json_string(out, word(t));
    }
    return out + ']';
}

void write_deployment(std::string& out, const deployment& d, const routing::deployment_snapshot& s, base::instant now) {
    const auto status = routing::status_of(s, now);
    out += "{\"id\":";
    write_json_string(out, d.public_id);
    out += ",\"object\":\"model.deployment\",\"model\":";
    write_json_string(out, d.settings.public_model);
    out += ",\"provider\":";
    write_json_string(out, config::to_string(d.settings.adapter_key));
    out += ",\"status\":";
    write_json_string(out, routing::to_string(status.value));
    out += ",\"retry_after_ms\":" + whole_milliseconds(status.retry_after);
    out += ",\"created\":0,\"weight\":" + std::to_string(d.settings.weight);
    out += ",\"limits\":{\"rpm\":" + number_or_null(d.settings.rpm_limit);
    out += ",\"tpm\":" + number_or_null(d.settings.tpm_limit);
    out += "},\"top_provider\":{\"context_length\":null,\"max_completion_tokens\":null},\"pricing\":";
    out += pricing_of(d.settings.pricing);
    out += R"(,"operations":[{"id":"text.generate","endpoints":)" + listed(d.settings.transports, endpoint_of);
    out += R"(}],"supported_parameters":[],"transports":{"text.generate":)";
    out += listed(d.settings.transports, [](config::transport t) { return config::to_string(t); });
    out += "},\"metrics\":" + metrics_of(s) + '}';
}

} // namespace

std::string deployments_view(const deployment_table& deployments, const public_model& model,
                             std::span<const routing::deployment_snapshot> values, base::instant now) {
    std::string out = R"({"object":"list","data":[)";
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ',';
        write_deployment(out, deployments.at(model.pool[i].key), values[i], now);
    }
    return out + "]}";
}

} // namespace turnout::gateway
