#pragma once

#include <span>
#include <string>

#include "gateway/deployment_table.hpp"
#include "routing/snapshot.hpp"

namespace turnout::gateway {

/// The body of `GET /v1/models/{model}/deployments`: every enabled deployment of the model's own pool with its status
/// and the metrics that routing uses. `values` are in the order of the pool.
std::string deployments_view(const deployment_table& deployments, const public_model& model,
                             std::span<const routing::deployment_snapshot> values, base::instant now);

} // namespace turnout::gateway
