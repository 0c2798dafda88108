#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "gateway/simulated_request.hpp"

namespace turnout::gateway {

/// The engine without sockets: the deployments, settings and live state of one configuration, a clock that stands still
/// until it is moved, chance from a seed, and any number of requests at once. Same configuration, same calls and same
/// seed give the same decisions.
class simulation {
public:
    /// Time begins at 0; `wall` is what the wall clock shows then.
    simulation(config::configuration settings, std::uint64_t seed, base::wall_ms wall);
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    base::instant now() const { return world_.now; }
    base::wall_ms wall() const { return world_.moment().wall; }
    const config::configuration& settings() const { return world_.settings; }

    /// Moves time. What falls due meanwhile happens in order of time; at one moment, in the order in which requests
    /// began.
    void advance(base::milliseconds by);
    /// Makes the draws that follow repeatable.
    void seed(std::uint64_t value) { world_.draws = base::splitmix(value); }

    /// Null if no enabled deployment serves `model`. Precondition: its routes for `by` are carried.
    std::shared_ptr<simulated_request> begin(std::string_view model, bool stream,
                                             config::transport by = config::transport::chat);

    /// The enabled deployments, by public model.
    const public_models& models() const { return world_.models; }
    /// Live state now.
    routing::deployment_snapshot snapshot(const state::deployment_ref& which) const;

private:
    simulated_request* next_due(base::instant until) const;

    mutable simulated_world world_;
    std::vector<std::shared_ptr<simulated_request>> running_;
};

} // namespace turnout::gateway
