#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.hpp"
#include "routing/route_plan.hpp"
#include "state/store.hpp"

namespace turnout::gateway {

/// Where text requests for a public model may go whose contract one transport carries.
struct model_routes {
    std::string name; ///< of the public model
    routing::route_map routes;
    std::vector<state::deployment_ref> refs;  ///< by position in `routes`
    std::vector<std::string_view> pool_names; ///< by index of `routes.pools`: the public model of each pool
    std::vector<model_routes> alone = {};     ///< by position: to it and nobody else; empty where no ids are kept

    std::size_t size() const { return routes.pools.front().size(); } ///< of its own pool, which may be empty
    state::deployment_key key(routing::position p) const { return refs[p].key; }
    /// Whether a deployment can be asked at all.
    bool carried() const { return size() != 0 || !routes.chain(routing::fallback_reason::general).empty(); }
};

/// A name that clients may ask for.
struct public_model {
    std::vector<state::deployment_ref> pool; ///< its enabled deployments, in the order of the configuration
    config::by_transport<model_routes> text;
};

using public_models = std::map<std::string, public_model, std::less<>>;

/// What a text request that begins `now` may do.
routing::route_plan text_plan(const config::router_settings& router, const model_routes& model, bool stream,
                              bool generates, base::instant now);

/// The public models with an enabled deployment. Routes hold those deployments only that have the transport, and chains
/// leave out models that have none of them.
public_models make_public_models(const config::configuration& settings);

} // namespace turnout::gateway
