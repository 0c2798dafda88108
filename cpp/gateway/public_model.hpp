#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.hpp"
#include "routing/route_plan.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// A name that clients may ask for, and where its requests may go.
struct public_model {
    std::string name;
    routing::route_map routes;                ///< for text requests
    std::vector<state::deployment_ref> refs;  ///< by position in `routes`
    std::vector<std::string_view> pool_names; ///< by index of `routes.pools`: the public model of each pool

    std::size_t size() const { return routes.pools.front().size(); } ///< of its own pool
    state::deployment_key key(routing::position p) const { return refs[p].key; }
};

using public_models = std::map<std::string, public_model, std::less<>>;

/// What a text request for `model` that begins `now` may do.
routing::route_plan text_plan(const config::router_settings& router, const public_model& model, bool stream,
                              base::instant now);

/// The public models with an enabled deployment. Chains leave out models that have none.
public_models make_public_models(const config::configuration& settings);

} // namespace turnout::gateway
