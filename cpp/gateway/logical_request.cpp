#include "gateway/logical_request.hpp"

#include <utility>

#include "gateway/client_answer.hpp"
#include "gateway/journal_entry.hpp"

namespace turnout::gateway {
namespace {

// A client may be this far behind before the upstream is made to wait.
constexpr std::size_t backlog_limit = std::size_t{256} * 1024;

} // namespace

void logical_request::begin(worker_context& worker, accepted_request&& accepted) {
    const pointer r(new logical_request(worker, std::move(accepted)));
    r->self_ = r;
    r->accepted_.exchange->observe(r.get());
    if (r->accepted_.request.stream) {
        r->tracking_.fallback_id = r->accepted_.request_id;
        r->tracking_.fallback_created = worker.on.time().wall().value / 1000;
        r->stream_.hold(*r->accepted_.exchange);
    }
    worker.on.timers().arm(r->total_, net::timer_kind::total, r->fsm_.plan().deadline - r->began_, r->began_,
                           &r->accepted_.request_id);
    r->proceed(routing::begun{});
}

logical_request::logical_request(worker_context& worker, accepted_request&& accepted)
    : worker_(worker),
      accepted_(std::move(accepted)),
      began_(worker.on.now()),
      fsm_(text_plan(worker.shared.settings.router, accepted_.model, accepted_.request.stream,
                     accepted_.contract.generates, began_)),
      tracking_{.public_model = {}, .n = accepted_.request.n, .client_wants_usage = accepted_.request.include_usage},
      ids_(worker.shared.seals, accepted_.contract.id_prefix, accepted_.client.owner),
      stream_(worker.on, accepted_.contract, accepted_.request_id),
      total_([](void* c) { static_cast<logical_request*>(c)->on_total_expired(); }, this),
      bound_([](void* c) { static_cast<logical_request*>(c)->on_bound(); }, this),
      wait_([](void* c) { static_cast<logical_request*>(c)->proceed(routing::waited{}); }, this),
      renewal_([](void* c) { static_cast<logical_request*>(c)->renew(); }, this) {}

logical_request::~logical_request() { worker_.buffers.give(std::move(accepted_.request_id)); }

void logical_request::proceed(const routing::route_event& event) {
    const pointer self(this);
    at_ = clock();
    auto action = fsm_.resume(at_.now, event, worker_.draws);
    while (action.type == routing::route_action_type::settle) {
        settle();
        action = fsm_.resume(at_.now, routing::settled{effect_}, worker_.draws);
    }
    switch (action.type) {
    case routing::route_action_type::read_state: read_state(); return;
    case routing::route_action_type::admit: admit(); return;
    case routing::route_action_type::start_attempt: start_attempt(action); return;
    case routing::route_action_type::wait:
        worker_.on.timers().arm_at(wait_, net::timer_kind::wait, action.until, &accepted_.request_id);
        return;
    case routing::route_action_type::commit: commit(); return;
    case routing::route_action_type::finish: finish(); return;
    case routing::route_action_type::settle:
    case routing::route_action_type::none: return;
    }
}

void logical_request::read_state() {
    const auto& pool = fsm_.asked();
    const auto refs = std::span(accepted_.model.refs).subspan(pool.begin, pool.size());
    worker_.store.read(
        at_, refs, circuits(),
        [self = pointer(this)](state::state_error error, std::span<const routing::deployment_snapshot> values) {
            if (!self->self_) return;
            if (error != state::state_error::none)
                self->proceed(routing::state_failed{});
            else
                self->proceed(routing::snapshot_read{values});
        });
}

void logical_request::admit() {
    asked_.clear();
    for (const auto p : fsm_.candidates()) asked_.push_back(accepted_.model.refs[p]);
    worker_.store.admit(
        at_, {asked_.data(), asked_.size()}, circuits(),
        [self = pointer(this)](state::state_error error, const state::admission& a) { self->on_admission(error, a); });
}

void logical_request::on_admission(state::state_error error, const state::admission& a) {
    const bool admitted = error == state::state_error::none && a.chosen.has_value();
    if (!self_) { // over while the store was asked: nobody else gives the permit back
        if (admitted)
            worker_.store.settle(clock(), asked_[*a.chosen], a.permit, {}, circuits(),
                                 [](state::state_error, routing::circuit_effect) {});
        return;
    }
    if (error != state::state_error::none) {
        proceed(routing::state_failed{});
        return;
    }
    if (!admitted) {
        proceed(routing::admitted{.target = {}, .refused = a.refused});
        return;
    }
    target_ = asked_[*a.chosen];
    permit_ = a.permit;
    proceed(routing::admitted{fsm_.candidates()[*a.chosen], a.refused, a.permit.circuit.probe});
}

void logical_request::start_attempt(const routing::route_action& action) {
    const auto& target = worker_.shared.deployments.at(target_.key);
    tracking_.public_model = target.settings.public_model; // of a fallback, if one serves
    tracking_.ids = ids_.of(target);
    const attempt_task task{accepted_.contract,
                            accepted_.exchange->request(),
                            accepted_.request,
                            accepted_.stored ? std::string_view() : accepted_.exchange->body(),
                            target,
                            accepted_.request.stream ? target.chat.stream : target.chat.json,
                            accepted_.request_id,
                            tracking_,
                            accepted_.stored,
                            accepted_.sockets.get()};
    attempt_ = make_attempt(worker_, task, *this);
    arm_renewal();
    if (action.until < fsm_.plan().deadline)
        worker_.on.timers().arm_at(bound_, net::timer_kind::total, action.until, &accepted_.request_id);
    attempt_->start(at_.now);
}

void logical_request::arm_renewal() {
    worker_.on.timers().arm(renewal_, net::timer_kind::lease, routing::renewal_interval(permit_.circuit, circuits()),
                            at_.now, &accepted_.request_id);
}

void logical_request::renew() {
    at_ = clock();
    worker_.store.renew(at_, target_, permit_, circuits());
    arm_renewal();
}

void logical_request::settle() {
    renewal_.cancel();
    bound_.cancel();
    effect_ = {};
    worker_.store.settle(at_, target_, std::exchange(permit_, {}), fsm_.last_settlement(), circuits(),
                         [self = pointer(this)](state::state_error error, routing::circuit_effect effect) {
                             if (error == state::state_error::none) self->effect_ = effect;
                         });
}

void logical_request::commit() {
    if (permit_.circuit.probe) worker_.store.confirm(at_, target_, permit_, circuits());
    stream_.open();
    if (attempt_->request_sent()) accepted_.exchange->free_body();
}

// What the attempt says ------------------------------------------------------------------------------------------

void logical_request::on_commit() { proceed(routing::attempt_committed{}); }

void logical_request::on_output() {
    stream_.write(attempt_->output());
    attempt_->output().clear();
    if (accepted_.exchange->backlog() > backlog_limit) attempt_->pause();
}

void logical_request::on_succeeded() {
    auto measure = attempt_->measure();
    if (const auto usage = attempt_->usage()) {
        measure.total_tokens = codec::trusted_count(usage->total);
        measure.completion_tokens = codec::trusted_count(usage->completion);
    }
    proceed(routing::attempt_succeeded{measure});
}

void logical_request::on_failed(base::failure_report report) { proceed(routing::attempt_failed{std::move(report)}); }

// What the client and the clock say ------------------------------------------------------------------------------

void logical_request::end_attempt(base::failure_origin origin) {
    const pointer self(this);
    const bool by_time =
        origin == base::failure_origin::total_timeout || origin == base::failure_origin::response_timeout;
    if (permit_.lease != 0 && by_time && attempt_->finished()) {
        attempt_->conclude();
    } else if (permit_.lease != 0) {
        attempt_->cancel();
        base::failure_report report;
        report.origin = by_time && attempt_->paused() ? base::failure_origin::paused_timeout : origin;
        proceed(routing::attempt_failed{std::move(report)});
    } else if (by_time) {
        proceed(routing::total_expired{});
    } else {
        proceed(routing::client_left{});
    }
}

void logical_request::on_client_gone() { end_attempt(base::failure_origin::client_gone); }

void logical_request::on_client_stalled() { end_attempt(base::failure_origin::client_stalled); }

void logical_request::on_total_expired() { end_attempt(base::failure_origin::total_timeout); }

// `totalMs` of the deployment's own overrides: others may still have time.
void logical_request::on_bound() { end_attempt(base::failure_origin::response_timeout); }

void logical_request::on_server_ending() {
    const pointer self(this);
    if (permit_.lease != 0 && attempt_->finished()) {
        attempt_->conclude();
        return;
    }
    if (permit_.lease != 0) attempt_->cancel();
    proceed(routing::server_ended{});
}

void logical_request::on_drained() {
    if (attempt_) attempt_->resume();
}

// The end ---------------------------------------------------------------------------------------------------------

void logical_request::finish() {
    switch (fsm_.outcome().verdict) {
    case routing::route_verdict::served: finish_served(); break;
    case routing::route_verdict::failed:
    case routing::route_verdict::no_candidate:
    case routing::route_verdict::state_unavailable:
    case routing::route_verdict::server_ending:
    case routing::route_verdict::expired: finish_failed(); break;
    case routing::route_verdict::client_gone: status_ = 499; break;
    }
    leave();
}

void logical_request::finish_served() {
    status_ = 200;
    attempt_->write_end(accepted_.wants_metadata ? routing_metadata(summary()) : std::string());
    if (!accepted_.request.stream) {
        auto fields = worker_.buffers.take();
        write_json_fields(fields, accepted_.contract, accepted_.request_id);
        accepted_.exchange->respond(status_, fields, attempt_->output());
        worker_.buffers.give(std::move(fields));
        return;
    }
    stream_.open();
    stream_.write(attempt_->output());
    stream_.end();
}

void logical_request::finish_failed() {
    const auto& table = worker_.shared.deployments;
    auto answer =
        answer_for(fsm_, [&](routing::position p) -> const deployment& { return table.at(accepted_.model.key(p)); });
    if (attempt_) ids_.show_in(answer.error.message, accepted_.request.previous.get());
    error_code_ = answer.error.code;
    if (stream_.is_open()) {
        status_ = 200;
        accepted_.contract.protocol.write_error_event(answer_, answer.error, accepted_.request_id,
                                                      fsm_.committed() ? attempt_->next_sequence() : 0);
        stream_.write(answer_);
        stream_.end();
        return;
    }
    status_ = answer.error.status;
    accepted_.contract.protocol.write_error(answer_, answer.error, accepted_.request_id);
    accepted_.exchange->respond(status_, json_fields(accepted_.contract, accepted_.request_id) + answer.fields,
                                answer_);
}

request_summary logical_request::summary() const {
    request_summary s{.request_id = accepted_.request_id,
                      .stream = accepted_.request.stream,
                      .status = status_,
                      .took = at_.now - began_,
                      .deployments = worker_.shared.deployments,
                      .model = accepted_.model,
                      .strategy = fsm_.plan().how,
                      .attempts = fsm_.attempts(),
                      .anomalies = {},
                      .error_code = error_code_};
    if (attempt_)
        for (const auto a : attempt_->anomalies()) s.anomalies.push_back(codec::to_string(a));
    return s;
}

void logical_request::leave() {
    stream_.release();
    total_.cancel();
    bound_.cancel();
    wait_.cancel();
    renewal_.cancel();
    accepted_.exchange->observe(nullptr);
    const auto s = summary();
    log(s);
    record(s);
    self_ = nullptr;
}

void logical_request::log(const request_summary& s) {
    if (!worker_.log) return;
    auto line = worker_.buffers.take();
    write_log_line(line, s);
    worker_.log(line);
    worker_.buffers.give(std::move(line));
}

void logical_request::record(const request_summary& s) {
    if (worker_.journal == nullptr) return;
    auto entry = worker_.journal->take();
    const auto& stored = accepted_.stored;
    const journal_facts facts{.call_type = stored ? stored.call_type() : accepted_.contract.protocol.name(),
                              .key_name = accepted_.client.name,
                              .chain = fsm_.chain(),
                              .client_left = fsm_.outcome().verdict == routing::route_verdict::client_gone,
                              .usage = attempt_ ? attempt_->usage() : std::nullopt,
                              .now = at_.now,
                              .wall = at_.wall};
    write_entry(*entry, s, facts);
    worker_.journal->append(std::move(entry));
}

} // namespace turnout::gateway
