#include "gateway/client_ids.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "codec/json_string.hpp"

namespace turnout::gateway {
namespace {

/// To the deployment of this name and nobody else, if it is among the model's first so many.
const model_routes* alone(const model_routes& model, std::size_t among, std::string_view seal_name,
                          const deployment_table& deployments) {
    const auto end = model.refs.begin() + static_cast<std::ptrdiff_t>(among);
    const auto found = std::find_if(model.refs.begin(), end, [&](const state::deployment_ref& r) {
        return deployments.at(r.key).seal_name == seal_name;
    });
    return found == end ? nullptr : &model.alone[static_cast<std::size_t>(found - model.refs.begin())];
}

} // namespace

const codec::id_sealer* client_ids::of(const deployment& d) {
    from_ = &d;
    return prefix_.empty() ? nullptr : this;
}

std::string client_ids::seal(std::string_view upstream_id) const {
    return seals_.seal(prefix_, owner_, from_->seal_name, upstream_id);
}

void client_ids::show_in(std::string& message, const codec::earlier_id* previous) const {
    if (prefix_.empty() || from_ == nullptr) return;
    const std::string_view known = previous != nullptr ? std::string_view(previous->upstream) : std::string_view();
    for (std::size_t at = 0; at < message.size();) {
        const auto rest = std::string_view(message).substr(at);
        std::size_t length = 0;
        if (!known.empty() && rest.starts_with(known)) {
            length = known.size();
        } else {
            length =
                static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), base::is_in_word) - rest.begin());
            if (length <= prefix_.size() || !rest.starts_with(prefix_)) {
                at += std::max<std::size_t>(length, 1);
                continue;
            }
        }
        const std::string shown = seal(rest.substr(0, length));
        message.replace(at, length, shown);
        at += shown.size();
    }
}

bool client_ids::open(codec::earlier_id& id, std::string& deployment) const {
    auto subject = seals_.open(prefix_, owner_, id.shown);
    if (!subject) return false;
    deployment = std::move(subject->deployment);
    id.upstream_text = codec::json::to_json_string(subject->upstream_id);
    id.upstream = std::move(subject->upstream_id);
    return true;
}

const model_routes* client_ids::routes_to(codec::earlier_id& id, const model_routes& model,
                                          const deployment_table& deployments) const {
    std::string deployment;
    return open(id, deployment) ? alone(model, model.refs.size(), deployment, deployments) : nullptr;
}

const model_routes* client_ids::routes_to(codec::earlier_id& id, config::transport transport,
                                          const deployment_table& deployments) const {
    std::string deployment;
    if (!open(id, deployment)) return nullptr;
    for (const auto& [name, model] : deployments.models()) {
        const auto& routes = model.text[transport];
        if (const auto* found = alone(routes, routes.size(), deployment, deployments)) return found;
    }
    return nullptr;
}

} // namespace turnout::gateway
