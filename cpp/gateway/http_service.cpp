#include "gateway/http_service.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "base/ascii.hpp"
#include "codec/json_string.hpp"
#include "gateway/client_answer.hpp"
#include "gateway/client_ids.hpp"
#include "gateway/deployments_view.hpp"
#include "gateway/logical_request.hpp"
#include "gateway/models_view.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"
#include "gateway/routes.hpp"

namespace turnout::gateway {
namespace {

using codec::public_error;

public_error no_such_model(std::string_view model) {
    return invalid(404, "model_not_found",
                   "The model " + codec::json::to_json_string(model.substr(0, 200)) + " does not exist.", "model");
}

public_error no_such_response(std::string_view id) {
    return invalid(400, "previous_response_not_found",
                   "Previous response with id " + codec::json::to_json_string(id.substr(0, 200)) + " not found.",
                   "previous_response_id");
}

constexpr std::string_view retry_soon = "retry-after: 1\r\n";

public_error not_carried(std::string_view model, std::string_view contract) {
    return invalid(400, "unsupported_model_capability",
                   "No deployment of the model " + codec::json::to_json_string(model) + " carries "
                       + std::string(contract) + " requests.",
                   "model");
}

public_error state_unreachable() {
    return {503,
            "service_unavailable_error",
            "service_unavailable",
            {},
            "The gateway's live state cannot be read at the moment. Please try again later."};
}

public_error overload(net::shortage what) {
    public_error e{503, "service_unavailable_error", "", {}, ""};
    switch (what) {
    case net::shortage::connections:
        e.code = "too_many_connections";
        e.message = "The gateway has as many connections as it may (server.maxConnections). Please try again later.";
        break;
    case net::shortage::memory:
        e.code = "request_memory_exhausted";
        e.message = "The requests under way hold as many bytes as they may (server.requestMemoryBytes). Please try "
                    "again later.";
        break;
    }
    return e;
}

bool wants_metadata(const codec::http1::head& head) {
    const auto value = head.find("x-unified-routing-metadata");
    if (!value) return false;
    const auto lower = base::lower_case(*value);
    constexpr std::array<std::string_view, 5> yes{"1", "true", "yes", "on", "include"};
    return std::find(yes.begin(), yes.end(), lower) != yes.end();
}

/// Both protocols list models at one path. Anthropic's clients tell theirs by its version.
bool is_for_anthropic(const codec::http1::head& head, route where) {
    return (where == route::models || where == route::model) && head.find("anthropic-version").has_value();
}

/// The contract in whose shape a request with this head is refused.
const served_contract& shape_for(const codec::http1::head& head) {
    const auto path = path_of(head.target());
    const auto kind = error_shape_at(path);
    if (kind != contract_kind::chat) return contract_of(kind);
    const auto where = find_route(path);
    return contract_of(where && is_for_anthropic(head, *where) ? contract_kind::messages : kind);
}

int status_of(codec::http1::problem_kind kind) {
    switch (kind) {
    case codec::http1::problem_kind::head_too_large:
    case codec::http1::problem_kind::too_many_headers: return 431;
    case codec::http1::problem_kind::none:
    case codec::http1::problem_kind::malformed:
    case codec::http1::problem_kind::version:
    case codec::http1::problem_kind::missing_host:
    case codec::http1::problem_kind::framing:
    case codec::http1::problem_kind::upgrade:
    case codec::http1::problem_kind::truncated: return 400;
    }
    return 400;
}

} // namespace

std::optional<net::refusal> http_service::check_head(const codec::http1::head& head,
                                                     std::optional<std::uint64_t> /*content_length*/) {
    const auto path = path_of(head.target());
    if (auto* extra = owner_of(extra_, path)) return extra->check_head(worker_, head, path);
    const auto refused = [&](const public_error& e, std::string_view extra = {}) {
        return refuse(shape_for(head), request_id_of(head, worker_.ids), e, extra);
    };
    const auto where = find_route(path);
    if (!where) return refused(invalid(404, "not_found", "There is nothing at this path."));
    if (!allows(*where, head.method())) {
        std::string allow;
        codec::http1::write_header(allow, "allow", allowed_methods(*where));
        return refused(
            invalid(405, "method_not_allowed", "This path answers " + std::string(allowed_methods(*where)) + " only."),
            allow);
    }
    if (needs_key(*where) && !worker_.shared.keys.accepts(head))
        return refused(
            invalid(401, "invalid_api_key",
                    "The API key is missing or wrong. Send it as 'Authorization: Bearer KEY' or 'x-api-key: KEY'."));
    if (const auto coding = head.find("content-encoding"); coding && *coding != "identity")
        return refused(invalid(415, "unsupported_content_encoding",
                               "The request body must not be compressed (content-encoding)."));
    return std::nullopt;
}

net::refusal http_service::body_too_large(const codec::http1::head& head) {
    return refuse(shape_for(head), request_id_of(head, worker_.ids),
                  invalid(413, "request_body_too_large",
                          "The request body is larger than "
                              + std::to_string(worker_.shared.settings.server.request_body_bytes) + " bytes."));
}

std::optional<net::refusal> http_service::overloaded(net::shortage what, const codec::http1::head& head) {
    const auto path = path_of(head.target());
    const auto where = find_route(path);
    if (where == route::health_live || where == route::health_ready) return std::nullopt; // full is not ill
    if (owner_of(extra_, path) != nullptr) return std::nullopt; // operators look when something is wrong
    return refuse(shape_for(head), request_id_of(head, worker_.ids), overload(what), retry_soon);
}

net::refusal http_service::too_slow(const codec::http1::head* head) {
    return refuse_at(head, invalid(408, "request_timeout", "The request was begun and did not go on for 30 seconds."));
}

net::refusal http_service::malformed(codec::http1::problem_kind kind, std::string_view text,
                                     const codec::http1::head* head) {
    return refuse_at(head, invalid(status_of(kind), "invalid_http", text));
}

/// Without a head nobody knows which shape the client would understand.
net::refusal http_service::refuse_at(const codec::http1::head* head, const public_error& e) {
    if (head == nullptr) return refuse(new_request_id(worker_.ids), e);
    return refuse(shape_for(*head), request_id_of(*head, worker_.ids), e);
}

void http_service::on_request(const net::exchange_ptr& x) {
    const auto path = path_of(x->request().target());
    if (auto* extra = owner_of(extra_, path)) {
        extra->on_request(worker_, x, path);
        return;
    }
    const auto where = *find_route(path);
    switch (where) {
    case route::chat_completions:
    case route::messages:
    case route::count_tokens:
    case route::responses: answer_text(x, contract_of(*contract_at(where))); return;
    case route::models:
    case route::model: answer_models(x, path); return;
    case route::deployments: answer_deployments(x, path); return;
    case route::health_live:
    case route::health_ready: answer_health(x, path); return;
    }
}

void http_service::answer_text(const net::exchange_ptr& x, const served_contract& contract) {
    auto id = worker_.buffers.take();
    write_request_id(id, x->request(), worker_.ids);
    auto parsed = contract.protocol.parse_request(x->body());
    if (const auto* problem = std::get_if<codec::request_problem>(&parsed)) {
        send(x, refuse(contract, id, invalid(problem->status, problem->code, problem->message, problem->param)));
        return;
    }
    auto& request = std::get<codec::contract_request>(parsed);
    const auto* model = worker_.shared.deployments.find(request.model);
    if (model == nullptr) {
        send(x, refuse(contract, id, no_such_model(request.model)));
        return;
    }
    const auto& routes = model->text[contract.transport];
    if (!routes.carried()) {
        send(x, refuse(contract, id, not_carried(request.model, contract.protocol.name())));
        return;
    }
    const auto& head = x->request();
    const auto key_name = worker_.shared.keys.name_of(head).value_or("");
    const auto* target = &routes;
    if (request.previous) {
        const client_ids ids(worker_.shared.seals, contract.id_prefix, key_name);
        target = ids.routes_to(*request.previous, routes, worker_.shared.deployments);
        if (target == nullptr) {
            send(x, refuse(contract, id, no_such_response(request.previous->shown)));
            return;
        }
    }
    logical_request::begin(worker_,
                           {x, std::move(id), contract, std::move(request), *target, key_name, wants_metadata(head)});
}

void http_service::answer_models(const net::exchange_ptr& x, std::string_view path) {
    const auto& head = x->request();
    const auto& shape = shape_for(head);
    const auto id = request_id_of(head, worker_.ids);
    const auto& models = worker_.shared.deployments.models();
    if (*find_route(path) == route::model) {
        const auto name = model_segment(path);
        const auto model = name ? models.find(*name) : models.end();
        if (model == models.end())
            send(x, refuse(shape, id, no_such_model(name.value_or(std::string(path)))));
        else
            x->respond(200, json_fields(shape, id),
                       shape.anthropic ? anthropic_model(model->first) : openai_model(*model));
        return;
    }
    if (!shape.anthropic) {
        x->respond(200, json_fields(shape, id), openai_models(models));
        return;
    }
    const auto page = read_model_page(head.target(), models);
    if (const auto* problem = std::get_if<public_error>(&page))
        send(x, refuse(shape, id, *problem));
    else
        x->respond(200, json_fields(shape, id), anthropic_models(std::get<model_page>(page)));
}

void http_service::answer_deployments(const net::exchange_ptr& x, std::string_view path) {
    const auto name = model_segment(path);
    const auto* model = name ? worker_.shared.deployments.find(*name) : nullptr;
    if (model == nullptr) {
        send(x, refuse(request_id_of(x->request(), worker_.ids), no_such_model(name.value_or(std::string(path)))));
        return;
    }
    const routing::moment at{worker_.on.now(), worker_.on.time().wall()};
    worker_.store.read(at, std::span(model->pool), worker_.shared.settings.router.circuits,
                       [&worker = worker_, x = net::exchange_ptr(x),
                        model](state::state_error error, std::span<const routing::deployment_snapshot> values) {
                           const auto id = request_id_of(x->request(), worker.ids);
                           if (error != state::state_error::none) {
                               send(x, refuse(id, state_unreachable(), retry_soon));
                               return;
                           }
                           x->respond(200, json_fields(id),
                                      deployments_view(worker.shared.deployments, *model, values, worker.on.now()));
                       });
}

void http_service::answer_health(const net::exchange_ptr& x, std::string_view path) {
    const auto id = request_id_of(x->request(), worker_.ids);
    const bool fine = *find_route(path) == route::health_live || ready_.load();
    x->respond(fine ? 200 : 503, json_fields(id), fine ? R"({"status":"ok"})" : R"({"status":"stopping"})");
}

} // namespace turnout::gateway
