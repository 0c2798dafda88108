#pragma once

#include <string>
#include <string_view>

#include "codec/contracts/contract.hpp"
#include "gateway/deployment_table.hpp"
#include "gateway/sealing.hpp"

namespace turnout::gateway {

/// The ids of what upstreams keep, as one client sees them.
class client_ids final : private codec::id_sealer {
public:
    /// Nothing is sealed where `prefix` is empty. The views outlive it.
    client_ids(const sealing& seals, std::string_view prefix, std::string_view owner)
        : seals_(seals), prefix_(prefix), owner_(owner) {}

    /// What seals the ids of this deployment, until it is asked for another's; null if nothing is sealed.
    const codec::id_sealer* of(const deployment& d);
    /// Replaces the ids in an upstream's words, which are those of the deployment that was asked for last.
    void show_in(std::string& message, const codec::earlier_id* previous) const;

    /// Whose `id` is, among those that a model's requests may go to; fills in what it is called there. Null: nobody's.
    const model_routes* routes_to(codec::earlier_id& id, const model_routes& model,
                                  const deployment_table& deployments) const;
    /// Likewise, among the enabled deployments with this transport of all models.
    const model_routes* routes_to(codec::earlier_id& id, config::transport transport,
                                  const deployment_table& deployments) const;

private:
    bool open(codec::earlier_id& id, std::string& deployment) const;
    std::string seal(std::string_view upstream_id) const override;

    const sealing& seals_;
    std::string_view prefix_;
    std::string_view owner_;
    const deployment* from_ = nullptr;
};

} // namespace turnout::gateway
