#include "gateway/client_ids.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "codec/json_string.hpp"

namespace turnout::gateway {

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

const model_routes* client_ids::routes_to(codec::earlier_id& id, const model_routes& model,
                                          const deployment_table& deployments) const {
    auto subject = seals_.open(prefix_, owner_, id.shown);
    if (!subject) return nullptr;
    const auto found = std::find_if(model.refs.begin(), model.refs.end(), [&](const state::deployment_ref& r) {
        return deployments.at(r.key).seal_name == subject->deployment;
    });
    if (found == model.refs.end()) return nullptr;
    id.upstream_text = codec::json::to_json_string(subject->upstream_id);
    id.upstream = std::move(subject->upstream_id);
    return &model.alone[static_cast<std::size_t>(found - model.refs.begin())];
}

} // namespace turnout::gateway
