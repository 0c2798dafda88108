#include "gateway/text_request.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "codec/json_string.hpp"
#include "gateway/client_ids.hpp"
#include "gateway/logical_request.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"

namespace turnout::gateway {
namespace {

codec::public_error no_such_response(std::string_view id) {
    return invalid(400, "previous_response_not_found",
                   "Previous response with id " + codec::json::to_json_string(id.substr(0, 200)) + " not found.",
                   "previous_response_id");
}

codec::public_error not_carried(std::string_view model, std::string_view contract) {
    return invalid(400, "unsupported_model_capability",
                   "No deployment of the model " + codec::json::to_json_string(model) + " carries "
                       + std::string(contract) + " requests.",
                   "model");
}

} // namespace

bool wants_metadata(const codec::http1::head& head) {
    const auto value = head.find("x-unified-routing-metadata");
    if (!value) return false;
    const auto lower = base::lower_case(*value);
    constexpr std::array<std::string_view, 5> yes{"1", "true", "yes", "on", "include"};
    return std::find(yes.begin(), yes.end(), lower) != yes.end();
}

codec::public_error no_such_model(std::string_view model) {
    return invalid(404, "model_not_found",
                   "The model " + codec::json::to_json_string(model.substr(0, 200)) + " does not exist.", "model");
}

std::variant<const model_routes*, codec::public_error>
find_routes(const worker_context& worker, const served_contract& contract, std::string_view model) {
    const auto* found = worker.shared.deployments.find(model);
    if (found == nullptr) return no_such_model(model);
    const auto& routes = found->text[contract.transport];
    if (!routes.carried()) return not_carried(model, contract.protocol.name());
    return &routes;
}

void answer_text(worker_context& worker, const net::exchange_ptr& x, const served_contract& contract) {
    auto id = worker.buffers.take();
    write_request_id(id, x->request(), worker.ids);
    auto parsed = contract.protocol.parse_request(x->body());
    if (const auto* problem = std::get_if<codec::request_problem>(&parsed))
        send(x, refuse(contract, id, invalid(problem->status, problem->code, problem->message, problem->param)));
    else
        answer_text(worker, x, contract, std::move(id), std::get<codec::contract_request>(std::move(parsed)));
}

void answer_text(worker_context& worker, const net::exchange_ptr& x, const served_contract& contract, std::string&& id,
                 codec::contract_request&& request, upstream_sockets_ptr sockets) {
    const auto found = find_routes(worker, contract, request.model);
    if (const auto* problem = std::get_if<codec::public_error>(&found)) {
        send(x, refuse(contract, id, *problem));
        return;
    }
    const auto& head = x->request();
    const caller client = worker.shared.keys.caller_of(head).value_or(caller{});
    const auto* routes = std::get<const model_routes*>(found);
    if (request.previous) {
        const client_ids ids(worker.shared.seals, contract.id_prefix, client.owner);
        routes = ids.routes_to(*request.previous, *routes, worker.shared.deployments);
        if (routes == nullptr) {
            send(x, refuse(contract, id, no_such_response(request.previous->shown)));
            return;
        }
    }
    logical_request::begin(worker, {x,
                                    std::move(id),
                                    contract,
                                    std::move(request),
                                    *routes,
                                    client,
                                    wants_metadata(head),
                                    {},
                                    std::move(sockets)});
}

} // namespace turnout::gateway
