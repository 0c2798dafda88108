#include "gateway/models_view.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "codec/json_string.hpp"
#include "gateway/query_string.hpp"
#include "gateway/refusals.hpp"

namespace turnout::gateway {
namespace {

using codec::json::write_json_string;

constexpr std::size_t most_models = 1000;

codec::public_error bad(std::string_view parameter, std::string_view wanted) {
    return invalid(400, "invalid_value", std::string(parameter) + ": " + std::string(wanted), parameter);
}

/// The three parameters, as they stand in the query.
struct page_parameters {
    std::optional<std::string> limit;
    std::optional<std::string> after_id;
    std::optional<std::string> before_id;

    std::optional<std::string>* find(std::string_view name) {
        if (name == "limit") return &limit;
        if (name == "after_id") return &after_id;
        return name == "before_id" ? &before_id : nullptr;
    }
};

std::variant<page_parameters, codec::public_error> read_parameters(std::string_view target) {
    auto all = parse_query(target);
    if (!all) return broken_encoding("The query");
    page_parameters found;
    for (auto& [name, value] : *all) {
        auto* place = found.find(name);
        if (place == nullptr) continue;
        if (*place) return bad(name, "must be given only once");
        *place = std::move(value);
    }
    if (found.after_id && found.before_id) return bad("before_id", "must not be given together with after_id");
    return found;
}

std::optional<std::size_t> read_limit(std::string_view text) {
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    const bool fits = error == std::errc() && end == text.data() + text.size() && n >= 1 && n <= most_models;
    return fits ? std::optional(n) : std::nullopt;
}

} // namespace

std::string openai_model(const public_models::value_type& model) {
    std::string out = "{\"id\":";
    write_json_string(out, model.first);
    out += R"(,"object":"model","created":0,"owned_by":"turnout","endpoint_count":)";
    return out + std::to_string(model.second.pool.size()) + '}';
}

std::string openai_models(const public_models& models) {
    std::string out = R"({"object":"list","data":[)";
    for (const auto& model : models) {
        if (out.back() == '}') out += ',';
        out += openai_model(model);
    }
    return out + "]}";
}

std::variant<model_page, codec::public_error> read_model_page(std::string_view target, const public_models& models) {
    auto read = read_parameters(target);
    if (auto* problem = std::get_if<codec::public_error>(&read)) return std::move(*problem);
    const auto& asked = std::get<page_parameters>(read);
    model_page page{.begin = models.begin(), .end = models.end()};
    if (asked.limit) {
        const auto limit = read_limit(*asked.limit);
        if (!limit) return bad("limit", "must be a whole number from 1 to 1000");
        page.limit = *limit;
    }
    if (asked.after_id) {
        page.begin = models.find(*asked.after_id);
        if (page.begin == models.end()) return bad("after_id", "must be the id of a model");
        ++page.begin;
    }
    if (asked.before_id) {
        page.end = models.find(*asked.before_id);
        if (page.end == models.end()) return bad("before_id", "must be the id of a model");
        page.from_the_end = true;
    }
    return page;
}

std::string anthropic_model(std::string_view name) {
    std::string out = R"({"type":"model","id":)";
    write_json_string(out, name);
    out += R"(,"display_name":)";
    write_json_string(out, name);
    return out + R"(,"created_at":"1970-01-01T00:00:00Z"})";
}

std::string anthropic_models(const model_page& page) {
    const auto asked = static_cast<std::size_t>(std::distance(page.begin, page.end));
    const auto shown = std::min(page.limit, asked);
    const auto first = std::next(page.begin, static_cast<std::ptrdiff_t>(page.from_the_end ? asked - shown : 0));
    std::string out = R"({"data":[)";
    std::string first_id = "null";
    std::string last_id = "null";
    auto model = first;
    for (std::size_t i = 0; i < shown; ++i, ++model) {
        if (i > 0) out += ',';
        out += anthropic_model(model->first);
        last_id = codec::json::to_json_string(model->first);
        if (i == 0) first_id = last_id;
    }
    out += shown < asked ? R"(],"has_more":true)" : R"(],"has_more":false)";
    return out + R"(,"first_id":)" + first_id + R"(,"last_id":)" + last_id + '}';
}

} // namespace turnout::gateway
