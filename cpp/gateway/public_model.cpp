#include "gateway/public_model.hpp"

#include <algorithm>
#include <optional>

#include "gateway/served_contract.hpp"
#include "routing/price.hpp"

namespace turnout::gateway {
namespace {

static_assert(config::transports.size() <= routing::most_paths);

using pools_by_name = std::map<std::string_view, std::vector<state::deployment_key>>;

/// Equal names share a domain; a deployment without one has its own.
std::vector<state::domain_key> domains_of(const std::vector<config::deployment>& deployments) {
    std::map<std::string_view, state::domain_key> named;
    std::vector<state::domain_key> domains;
    state::domain_key next = 0;
    for (const auto& d : deployments) {
        if (d.failure_domain.empty()) {
            domains.push_back(next++);
            continue;
        }
        const auto [it, is_new] = named.try_emplace(d.failure_domain, next);
        if (is_new) ++next;
        domains.push_back(it->second);
    }
    return domains;
}

class builder {
public:
    explicit builder(const config::configuration& settings)
        : settings_(settings), domains_(domains_of(settings.deployments)) {
        for (state::deployment_key key = 0; key < settings.deployments.size(); ++key)
            if (const auto& d = settings.deployments[key]; d.enabled) pools_[d.public_model].push_back(key);
    }

    public_models build() const {
        public_models made;
        for (const auto& [name, keys] : pools_) made.emplace(name, model(name));
        return made;
    }

private:
    public_model model(std::string_view name) const {
        public_model m;
        for (const auto key : keys_of(name)) m.pool.push_back(ref_to(key));
        for (const auto t : config::transports) m.text[t] = routes(name, t);
        return m;
    }

    model_routes routes(std::string_view name, config::transport t) const {
        model_routes m{.name = std::string(name), .routes = {}, .refs = {}, .pool_names = {}};
        add_pool(m, name, t);
        for (const auto& chain : settings_.fallbacks) {
            if (chain.primary_model != name) continue;
            auto& hops = m.routes.chains[static_cast<std::size_t>(chain.reason)];
            for (const auto& target : chain.models)
                if (!keys_with(target, t).empty()) hops.push_back(pool_index(m, target, t));
        }
        if (keeps_ids(t))
            for (std::size_t pool = 0; pool < m.pool_names.size(); ++pool) add_alone(m, pool);
        return m;
    }

    std::vector<state::deployment_key> keys_of(std::string_view name) const {
        const auto found = pools_.find(name);
        return found == pools_.end() ? std::vector<state::deployment_key>() : found->second;
    }

    std::vector<state::deployment_key> keys_with(std::string_view name, config::transport t) const {
        auto keys = keys_of(name);
        std::erase_if(keys, [&](state::deployment_key k) { return !settings_.deployments[k].transports.has(t); });
        return keys;
    }

    state::deployment_ref ref_to(state::deployment_key key) const {
        const auto& d = settings_.deployments[key];
        return {.key = key, .domain = domains_[key], .limits = {d.rpm_limit, d.tpm_limit}};
    }

    /// Chains for different reasons may name the same model, whose pool is in the plan once.
    std::uint16_t pool_index(model_routes& m, std::string_view name, config::transport t) const {
        const auto known = std::find(m.pool_names.begin(), m.pool_names.end(), name);
        if (known != m.pool_names.end()) return static_cast<std::uint16_t>(known - m.pool_names.begin());
        add_pool(m, name, t);
        return static_cast<std::uint16_t>(m.pool_names.size() - 1);
    }

    void add_pool(model_routes& m, std::string_view name, config::transport t) const {
        const auto keys = keys_with(name, t);
        std::vector<routing::pricing> tariffs;
        for (const auto key : keys) tariffs.push_back(settings_.deployments[key].pricing);
        const auto prices = routing::comparable_prices(tariffs, false);
        routing::pool_range range;
        range.begin = static_cast<routing::position>(m.refs.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto& d = settings_.deployments[keys[i]];
            routing::candidate c;
            c.weight = d.weight;
            c.domain = domains_[keys[i]];
            if (prices) c.price = (*prices)[i];
            if (const auto* o = d.overrides.of(config::operation::chat)) c.total = o->total;
            c.has_other_routes = d.transports != config::transport_set{t};
            m.refs.push_back(ref_to(keys[i]));
            m.refs.back().path = static_cast<routing::path_index>(t);
            m.routes.deployments.push_back(c);
        }
        range.end = static_cast<routing::position>(m.refs.size());
        range.comparable_prices = prices.has_value();
        m.routes.pools.push_back(range);
        m.pool_names.push_back(pools_.find(name)->first);
    }

    static void add_alone(model_routes& m, std::size_t pool) {
        const auto& all = m.routes.pools[pool];
        for (auto p = all.begin; p < all.end; ++p)
            m.alone.push_back({.name = m.name,
                               .routes = {.deployments = {m.routes.deployments[p]},
                                          .pools = {{0, 1, all.comparable_prices}},
                                          .chains = {}},
                               .refs = {m.refs[p]},
                               .pool_names = {m.pool_names[pool]}});
    }

    const config::configuration& settings_;
    std::vector<state::domain_key> domains_;
    pools_by_name pools_;
};

} // namespace

routing::route_plan text_plan(const config::router_settings& router, const model_routes& model, bool stream,
                              bool generates, base::instant now) {
    const auto& policies = router.of(config::operation::chat);
    const auto& policy = stream ? policies.stream : policies.json;
    return {.map = &model.routes,
            .how = router.strategy,
            .max_attempts = policy.max_attempts,
            .retry_after = router.retry_after,
            .began = now,
            .deadline = now + policy.total,
            .generates = generates};
}

public_models make_public_models(const config::configuration& settings) { return builder(settings).build(); }

} // namespace turnout::gateway
