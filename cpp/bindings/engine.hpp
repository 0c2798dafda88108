#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/simulation.hpp"
#include "routing/answer.hpp"

namespace turnout::bindings {

/// Values of the engine as Python sees them: deployments by id, moments and durations in whole milliseconds, rounded up.

struct engine_snapshot {
    std::string deployment;
    routing::deployment_snapshot live;
    base::instant at;
};

struct engine_refusal {
    std::string deployment;
    std::string_view obstacle;
    std::int64_t until_ms = 0;
};

/// One decision of any kind; what its kind does not have is empty.
struct engine_decision {
    std::int64_t at_ms = 0;
    std::string_view kind;
    std::vector<std::string> candidates = {};
    std::vector<engine_refusal> refused = {};
    std::optional<std::string> chosen = {};
    std::optional<std::int64_t> until_ms = {};
    std::optional<std::string_view> reason = {};
    std::vector<std::string> models = {};
};

struct engine_attempt {
    std::string deployment;
    routing::attempt_record record;
};

/// A request together with the simulation in which it lives.
struct engine_request {
    std::shared_ptr<gateway::simulation> home;
    std::shared_ptr<gateway::simulated_request> request;

    const std::string& id_of(state::deployment_key key) const { return home->settings().deployments[key].id; }
};

engine_decision decision_of(const engine_request& self, const gateway::decision& made);
engine_attempt attempt_of(const engine_request& self, const routing::attempt_record& record);

} // namespace turnout::bindings
