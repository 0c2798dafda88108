#pragma once

#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "gateway/attempt.hpp"
#include "gateway/attempt_log.hpp"
#include "gateway/client_ids.hpp"
#include "gateway/client_keys.hpp"
#include "gateway/client_stream.hpp"
#include "net/exchange.hpp"
#include "net/recycled.hpp"
#include "routing/route_fsm.hpp"

namespace turnout::gateway {

/// A client's request after its body was read and understood.
struct accepted_request {
    net::exchange_ptr exchange;
    std::string request_id; ///< from the worker's buffers
    const served_contract& contract;
    codec::contract_request request;
    const model_routes& model;
    caller client; ///< lives as long as the worker
    bool wants_metadata = false;
    stored_call stored = {};
    upstream_sockets_ptr sockets = nullptr; ///< of the client's WebSocket; null if it speaks HTTP
};

/// The driver of one logical request: does what `route_fsm` says, and decides nothing itself.
class logical_request final : public boost::intrusive_ref_counter<logical_request, boost::thread_unsafe_counter>,
                              public net::recycled<logical_request>,
                              private net::exchange_observer,
                              private attempt_observer {
public:
    /// Answers the request, now or later; keeps itself alive until it has.
    static void begin(worker_context& worker, accepted_request&& accepted);
    ~logical_request();

private:
    using pointer = boost::intrusive_ptr<logical_request>;

    logical_request(worker_context& worker, accepted_request&& accepted);

    void proceed(const routing::route_event& event);
    void read_state();
    void admit();
    void on_admission(state::state_error error, const state::admission& a);
    void start_attempt(const routing::route_action& action);
    void commit();
    void settle();
    void finish();
    void finish_served();
    void finish_failed();
    void leave();

    void on_total_expired();
    void on_bound();
    void arm_renewal();
    void renew();
    void end_attempt(base::failure_origin origin);
    request_summary summary() const;
    void log(const request_summary& s);
    void record(const request_summary& s);

    void on_client_gone() override;
    void on_client_stalled() override;
    void on_drained() override;
    void on_server_ending() override;
    void on_commit() override;
    void on_output() override;
    void on_succeeded() override;
    void on_failed(base::failure_report report) override;

    const routing::circuit_settings& circuits() const { return worker_.shared.settings.router.circuits; }
    routing::moment clock() const { return {worker_.on.recent(), worker_.on.time().wall()}; }

    worker_context& worker_;
    accepted_request accepted_;
    base::instant began_;
    routing::route_fsm fsm_;
    codec::tracker_options tracking_;
    client_ids ids_;
    client_stream stream_;
    boost::container::small_vector<state::deployment_ref, 4> asked_;
    attempt_ptr attempt_;
    state::deployment_ref target_; ///< of the permit
    state::permit permit_;         ///< of the attempt that runs; none between attempts
    routing::circuit_effect effect_;
    routing::moment at_; ///< of what the machine was told last: all that follows from it happens then
    int status_ = 0;
    std::string error_code_;
    std::string answer_;
    pointer self_; ///< until finished
    net::timer total_;
    net::timer bound_;
    net::timer wait_;
    net::timer renewal_;
};

} // namespace turnout::gateway
