#include "gateway/deployment_table.hpp"

#include "codec/json_string.hpp"
#include "gateway/upstream_head.hpp"
#include "net/digest.hpp"

namespace turnout::gateway {
namespace {

by_contract<std::string> heads(const config::deployment& d, const base_location& at) {
    by_contract<std::string> made;
    for (const auto kind : contract_kinds)
        if (const auto& c = contract_of(kind); d.transports.has(c.transport))
            made[kind] =
                kind == contract_kind::stored_response ? upstream_fields(d, at) : upstream_head(d, at, c.operation);
    return made;
}

std::string seal_name(std::string_view id) {
    const auto digest = net::sha256(id);
    return {digest.begin(), digest.begin() + seal_name_bytes};
}

} // namespace

std::string public_id(std::string_view id) { return "dep_" + net::hex(net::sha256(id), 12); }

deployment_table::deployment_table(const config::configuration& settings) : models_(make_public_models(settings)) {
    const auto& chat = settings.router.of(config::operation::chat);
    all_.reserve(settings.deployments.size());
    for (const auto& d : settings.deployments) {
        const auto location = locate(d.base_url);
        const auto* overriding = d.overrides.of(config::operation::chat);
        all_.push_back(
            {.key = static_cast<state::deployment_key>(all_.size()),
             .settings = d,
             .public_id = public_id(d.id),
             .seal_name = seal_name(d.id),
             .upstream_model = codec::json::to_json_string(d.upstream_model),
             .public_model = codec::json::to_json_string(d.public_model),
             .where = location.where,
             .base_path = location.path,
             .heads = heads(d, location),
             .socket_head = d.web_socket ? upstream_head(d, location,
                                                         contract_of(contract_kind::responses_socket).operation, "GET")
                                         : std::string(),
             .chat = {.json = config::effective(chat.json, overriding, false),
                      .stream = config::effective(chat.stream, overriding, true)}});
    }
}

const public_model* deployment_table::find(std::string_view name) const {
    const auto it = models_.find(name);
    return it == models_.end() ? nullptr : &it->second;
}

} // namespace turnout::gateway
