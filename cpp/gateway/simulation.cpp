#include "gateway/simulation.hpp"

#include <algorithm>
#include <utility>

namespace turnout::gateway {

simulation::simulation(config::configuration settings, std::uint64_t seed, base::wall_ms wall)
    : world_{.settings = std::move(settings),
             .models = {},
             .store = state::memory_store{},
             .draws = base::splitmix{seed},
             .wall_at_zero = wall} {
    world_.models = make_public_models(world_.settings);
}

void simulation::advance(base::milliseconds by) {
    const auto until = world_.now + by;
    while (auto* request = next_due(until)) {
        world_.now = std::max(world_.now, *request->due());
        request->on_time();
    }
    world_.now = until;
    std::erase_if(running_, [](const auto& request) { return !request->due(); });
}

simulated_request* simulation::next_due(base::instant until) const {
    simulated_request* next = nullptr;
    for (const auto& request : running_) {
        const auto due = request->due();
        if (due && *due <= until && (next == nullptr || *due < *next->due())) next = request.get();
    }
    return next;
}

std::shared_ptr<simulated_request> simulation::begin(std::string_view model, bool stream, config::transport by) {
    const auto found = world_.models.find(model);
    if (found == world_.models.end()) return nullptr;
    auto request = std::make_shared<simulated_request>(world_, found->second.text[by], stream);
    running_.push_back(request);
    return request;
}

routing::deployment_snapshot simulation::snapshot(const state::deployment_ref& which) const {
    routing::deployment_snapshot found;
    world_.store.read(
        world_.moment(), std::span(&which, 1), world_.settings.router.circuits,
        [&](state::state_error, std::span<const routing::deployment_snapshot> values) { found = values.front(); });
    return found;
}

} // namespace turnout::gateway
