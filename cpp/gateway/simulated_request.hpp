#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/random.hpp"
#include "gateway/public_model.hpp"
#include "routing/route_fsm.hpp"
#include "state/memory_store.hpp"

namespace turnout::gateway {

/// What the requests of one simulation share.
struct simulated_world {
    config::configuration settings;
    public_models models; ///< views into `settings`
    state::memory_store store;
    base::splitmix draws;
    base::wall_ms wall_at_zero;
    base::instant now{};

    routing::moment moment() const;
};

/// Deployments were asked, the best first.
struct asked_decision {
    struct refusal {
        state::deployment_key who;
        routing::gate why;
    };

    std::vector<state::deployment_key> candidates;
    std::vector<refusal> refused; ///< those before the chosen one, or all
    std::optional<state::deployment_key> chosen;
};

/// A wait began before a deployment is asked again.
struct wait_decision {
    state::deployment_key who;
    base::instant until;
    bool for_capacity = false; ///< its capacity circuit is open; else it was asked before and has nothing in the way
};

/// The primary pool was left for a chain.
struct chain_decision {
    routing::fallback_reason reason;
    std::vector<std::string_view> models; ///< those that have a deployment
};

struct decision {
    base::instant at;
    std::variant<asked_decision, wait_decision, chain_decision> what;
};

enum class simulated_state { attempt, waiting, finished, abandoned };

/// One logical request whose upstream is a script: whoever holds it says how attempts go.
///
/// Time does what it would do to a real one: it ends waits, keeps the slot and the probe of a running attempt, and ends
/// the request at `totalMs`. It ticks in milliseconds, so what falls between two ticks happens at the later one.
class simulated_request {
public:
    /// Decides until an attempt must be made, a wait begins, or the request is over. Both arguments outlive it.
    simulated_request(simulated_world& world, const model_routes& model, bool stream);

    simulated_state state() const { return state_; }
    /// The deployment that is called; nothing outside an attempt.
    std::optional<state::deployment_key> target() const;
    /// When the wait is over; nothing outside a wait.
    std::optional<base::instant> until() const;
    const routing::route_fsm& fsm() const { return fsm_; }
    const model_routes& model() const { return model_; }
    const std::vector<decision>& decisions() const { return decisions_; }

    // How the attempt goes. `std::logic_error` if none is running.

    /// The first frame that commits was seen. `std::logic_error` too if it is not a stream, or was seen before.
    void commit();
    void succeed(const routing::attempt_measure& measure);
    void fail(base::failure_report report);

    /// The client goes, during an attempt or a wait. `std::logic_error` if the request is over.
    void leave();
    /// The process that handles the request dies: what the request holds is neither kept nor given back.
    void abandon();

    /// When time itself does something to the request next.
    std::optional<base::instant> due() const;
    /// Does it. Precondition: `due()` has come.
    void on_time();

private:
    void proceed(const routing::route_event& event);
    std::optional<routing::route_event> perform(const routing::route_action& action);
    routing::route_event read_state();
    routing::route_event admit();
    routing::route_event settle();
    void start_attempt(base::instant bound);
    void begin_wait(const routing::route_action& action);
    void note_chain();
    void require_attempt() const;
    void keep();

    const state::deployment_ref& ref(routing::position p) const { return model_.refs[p]; }
    const routing::circuit_settings& circuits() const { return world_.settings.router.circuits; }

    simulated_world& world_;
    const model_routes& model_;
    bool stream_;
    routing::route_fsm fsm_;
    simulated_state state_ = simulated_state::waiting;
    routing::position target_ = 0;
    state::permit held_;
    base::instant bound_{};      ///< of the attempt or the wait
    base::instant wait_until_{}; ///< of the wait
    base::instant renew_at_{};   ///< of the attempt
    bool chain_noted_ = false;
    std::vector<routing::deployment_snapshot> values_;
    std::vector<routing::gate> refused_;
    std::vector<decision> decisions_;
};

} // namespace turnout::gateway
