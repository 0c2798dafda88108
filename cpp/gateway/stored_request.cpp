#include "gateway/stored_request.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/path_segment.hpp"
#include "codec/json_string.hpp"
#include "gateway/client_ids.hpp"
#include "gateway/logical_request.hpp"
#include "gateway/query_string.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"
#include "gateway/text_request.hpp"

namespace turnout::gateway {
namespace {

constexpr std::string_view id_param = "response_id";

codec::public_error not_stored(std::string_view id) {
    return invalid(404, "response_not_found",
                   "Response with id " + codec::json::to_json_string(id.substr(0, 200)) + " not found.", id_param);
}

codec::public_error no_stream() {
    return invalid(400, "unsupported_parameter",
                   "'stream' is not supported for a response that is there already. Leave it out or make it false.",
                   "stream");
}

bool asks_for_stream(const query_parameters& all) {
    return std::any_of(all.begin(), all.end(),
                       [](const auto& p) { return p.first == "stream" && base::lower_case(p.second) != "false"; });
}

/// What is wrong with the query, if anything is.
std::optional<codec::public_error> why_not(std::string_view target) {
    const auto parameters = parse_query(target);
    if (!parameters) return broken_encoding("The query");
    return asks_for_stream(*parameters) ? std::optional(no_stream()) : std::nullopt;
}

} // namespace

void answer_stored(worker_context& worker, const net::exchange_ptr& x, const stored_call& call) {
    const auto& contract = contract_of(contract_kind::stored_response);
    const auto& head = x->request();
    auto id = worker.buffers.take();
    write_request_id(id, head, worker.ids);
    if (const auto problem = why_not(head.target())) {
        send(x, refuse(contract, id, *problem));
        return;
    }
    auto shown = base::read_path_segment(call.id);
    if (!shown) {
        send(x, refuse(contract, id, broken_encoding("The id in the path", id_param)));
        return;
    }
    const caller client = worker.shared.keys.caller_of(head).value_or(caller{});
    codec::contract_request request;
    request.previous = std::make_unique<codec::earlier_id>();
    request.previous->shown = *std::move(shown);
    const client_ids ids(worker.shared.seals, contract.id_prefix, client.owner);
    const auto* routes = ids.routes_to(*request.previous, contract.transport, worker.shared.deployments);
    if (routes == nullptr) {
        send(x, refuse(contract, id, not_stored(request.previous->shown)));
        return;
    }
    logical_request::begin(
        worker, {x, std::move(id), contract, std::move(request), *routes, client, wants_metadata(head), call});
}

} // namespace turnout::gateway
