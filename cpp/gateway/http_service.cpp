#include "gateway/http_service.hpp"

#include <utility>
#include <variant>

#include "codec/websocket/handshake.hpp"
#include "gateway/client_answer.hpp"
#include "gateway/deployments_view.hpp"
#include "gateway/models_view.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"
#include "gateway/responses_socket.hpp"
#include "gateway/routes.hpp"
#include "gateway/stored_request.hpp"
#include "gateway/text_request.hpp"

namespace turnout::gateway {
namespace {

using codec::public_error;

constexpr std::string_view retry_soon = "retry-after: 1\r\n";
constexpr std::string_view model_in_path = "The model in the path";

public_error state_unreachable() {
    return {503,
            "service_unavailable_error",
            "service_unavailable",
            {},
            "The gateway's live state cannot be read at the moment. Please try again later."};
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
    case codec::http1::problem_kind::host:
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
        return refused(invalid(401, "invalid_api_key",
                               "The API key is missing, wrong, or sent twice. Send it as 'Authorization: Bearer KEY' "
                               "or 'x-api-key: KEY'."));
    if (const auto coding = head.find("content-encoding"); coding && *coding != "identity")
        return refused(invalid(415, "unsupported_content_encoding",
                               "The request body must not be compressed (content-encoding)."));
    if (begins_socket(*where, head.method())) return check_handshake(head);
    return std::nullopt;
}

std::optional<net::refusal> http_service::check_handshake(const codec::http1::head& head) {
    const auto refused = [&](const public_error& e, std::string_view extra) {
        return refuse(shape_for(head), request_id_of(head, worker_.ids), e, extra);
    };
    const auto handshake = codec::websocket::read_handshake(head);
    if (const auto* problem = std::get_if<codec::websocket::handshake_problem>(&handshake)) {
        constexpr std::string_view wanted =
            "upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\n";
        const bool other = problem->status == 426;
        return refused(invalid(problem->status, other ? "upgrade_required" : "invalid_handshake", problem->message),
                       other ? wanted : std::string_view());
    }
    if (!ready_.load()) return refused(shutting_down(), retry_soon);
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

/// Without a path nobody knows which shape the client would understand.
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
    case route::responses:
        if (begins_socket(where, x->request().method()))
            responses_socket::open(worker_, x);
        else
            answer_text(worker_, x, contract_of(*contract_at(where)));
        return;
    case route::stored_response:
    case route::stored_input:
    case route::stored_cancel:
        answer_stored(worker_, x, stored_call_at(where, x->request().method(), x->request().target()));
        return;
    case route::models:
    case route::model: answer_models(x, path); return;
    case route::deployments: answer_deployments(x, path); return;
    case route::health_live:
    case route::health_ready: answer_health(x, path); return;
    }
}

void http_service::answer_models(const net::exchange_ptr& x, std::string_view path) {
    const auto& head = x->request();
    const auto& shape = shape_for(head);
    const auto id = request_id_of(head, worker_.ids);
    const auto& models = worker_.shared.deployments.models();
    if (*find_route(path) == route::model) {
        const auto name = model_segment(path);
        const auto model = name ? models.find(*name) : models.end();
        if (!name)
            send(x, refuse(shape, id, broken_encoding(model_in_path, "model")));
        else if (model == models.end())
            send(x, refuse(shape, id, no_such_model(*name)));
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
        const auto refused = name ? no_such_model(*name) : broken_encoding(model_in_path, "model");
        send(x, refuse(request_id_of(x->request(), worker_.ids), refused));
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
