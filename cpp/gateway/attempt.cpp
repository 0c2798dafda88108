#include "gateway/attempt.hpp"

#include <utility>

#include "codec/content/coding.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/contracts/responses/socket.hpp"
#include "codec/edits.hpp"
#include "codec/http1.hpp"
#include "gateway/error_head.hpp"
#include "gateway/json_attempt.hpp"
#include "gateway/stream_attempt.hpp"
#include "gateway/upstream_head.hpp"
#include "routing/recognition.hpp"

namespace turnout::gateway {
namespace {

constexpr std::size_t longest_answer = std::size_t{72} << 20U;
constexpr std::size_t error_body_bytes = std::size_t{1} << 20U;
// Room for the lines that differ per request.
constexpr std::size_t head_rest = 128;
// This long may usage and end marker take after the last finished choice, and the body of an error after its status.
constexpr base::duration grace = std::chrono::seconds(5);
// Bytes that expand to very many must not keep the loop from the others.
constexpr int decoded_pieces_per_turn = 8;

} // namespace

attempt::attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer)
    : worker_(worker),
      task_(task),
      output_(worker.buffers.take()),
      observer_(&observer),
      head_(worker.buffers.take()),
      response_([](void* c) { static_cast<attempt*>(c)->on_deadline(base::failure_origin::response_timeout); }, this),
      idle_([](void* c) { static_cast<attempt*>(c)->on_deadline(base::failure_origin::idle_timeout); }, this),
      grace_([](void* c) { static_cast<attempt*>(c)->on_grace_over(); }, this) {}

attempt::~attempt() {
    worker_.buffers.give(std::move(output_));
    worker_.buffers.give(std::move(head_));
}

void attempt::start(base::instant now) {
    worker_.on.timers().arm(response_, net::timer_kind::response, task_.policy.response, now, &task_.request_id);
    if (task_.sockets != nullptr && task_.sockets->serve(task_.target))
        send_message();
    else
        post();
}

void attempt::send_message() {
    edits_ = codec::responses::message_edits(task_.request, task_.target.upstream_model);
    codec::gather(task_.client_body, edits_, pieces_);
    const boost::intrusive_ptr call(new socket_call(task_.sockets, task_.target, task_.request_id, pieces_, *this));
    call_ = call;
    call->start();
}

void attempt::post() {
    const auto& d = task_.target;
    const auto& prepared = d.heads[task_.contract.kind];
    edits_ = task_.contract.protocol.upstream_edits(task_.request, d.upstream_model,
                                                    task_.request.stream && d.settings.stream_usage);
    head_.reserve(prepared.size() + task_.request_id.size() + head_rest);
    if (task_.stored)
        head_ += stored_request_line(d.settings, d.base_path, task_.stored, task_.request.previous->upstream);
    head_.append(prepared);
    if (task_.contract.anthropic) write_anthropic_fields(head_, task_.client_head, d.settings.version);
    codec::http1::write_header(head_, "accept", task_.request.stream ? "text/event-stream" : "application/json");
    codec::http1::write_header(head_, "x-request-id", task_.request_id);
    if (!task_.stored || task_.stored.method == "POST")
        codec::http1::write_header(head_, "content-length",
                                   std::uint64_t{codec::edited_size(task_.client_body, edits_)});
    head_ += "\r\n";
    pieces_.clear();
    pieces_.push_back(head_);
    codec::gather(task_.client_body, edits_, pieces_);
    call_ = worker_.upstreams.start(d.where, pieces_, *this);
}

attempt_observer* attempt::release() {
    response_.cancel();
    idle_.cancel();
    grace_.cancel();
    return std::exchange(observer_, nullptr);
}

void attempt::cancel() {
    release();
    if (auto c = std::exchange(call_, nullptr)) c->cancel();
}

void attempt::pause() {
    if (over() || paused_) return;
    paused_ = true;
    pause_began_ = worker_.on.now();
    idle_.cancel();
    if (call_) call_->pause();
}

void attempt::resume() {
    if (over() || !paused_) return;
    paused_ = false;
    pauses_ += worker_.on.now() - pause_began_;
    if (accepted_ && task_.request.stream) arm_idle();
    if (coded_)
        decode_later();
    else if (call_)
        call_->resume();
}

routing::attempt_measure attempt::measure() const {
    routing::attempt_measure m;
    if (last_byte_ != base::instant{}) m.last_byte = last_byte_;
    m.paused = coded_ ? pauses_before_last_byte_ : pauses_;
    return m;
}

void attempt::arm_idle() {
    if (over() || paused_ || grace_.armed() || !task_.policy.idle) return;
    worker_.on.timers().arm(idle_, net::timer_kind::idle, *task_.policy.idle, worker_.on.recent(), &task_.request_id);
}

void attempt::arm_grace() {
    if (over() || grace_.armed()) return;
    idle_.cancel();
    worker_.on.timers().arm(grace_, net::timer_kind::grace, grace, worker_.on.now(), &task_.request_id);
}

void attempt::on_grace_over() {
    if (accepted_)
        succeed();
    else
        error_answer_ended();
}

// The status of an error answer says what failed, whatever becomes of its body.
void attempt::on_deadline(base::failure_origin origin) {
    if (answer_.status != 0 && !accepted_)
        error_answer_ended();
    else
        fail(origin);
}

void attempt::succeed() {
    const attempt_ptr self(this);
    auto* observer = release();
    if (auto c = std::exchange(call_, nullptr)) c->drain();
    observer->on_succeeded();
}

void attempt::fail(base::failure_report report) {
    const attempt_ptr self(this);
    auto* observer = release();
    if (auto c = std::exchange(call_, nullptr)) c->cancel();
    observer->on_failed(std::move(report));
}

void attempt::fail(base::failure_origin origin, std::string_view message) {
    base::failure_report report = answer_;
    report.origin = origin;
    if (!message.empty()) report.message = message;
    fail(std::move(report));
}

void attempt::keep(std::string& answer, std::string_view bytes) {
    if (answer.size() + bytes.size() > longest_answer) {
        fail(base::failure_origin::malformed_body, "the answer is larger than 72 MiB");
        return;
    }
    answer.append(bytes);
}

std::string_view attempt::why_broken_off(base::failure_origin origin) {
    return origin == base::failure_origin::malformed_body ? "the answer is not in the content coding that it names"
                                                          : "the answer ended before its announced end";
}

void attempt::on_head(const codec::http1::head& head) {
    const attempt_ptr self(this);
    answer_began(head.status());
    if (!accepted_) {
        read_error_head(head, worker_.on.time().wall(), answer_);
        arm_grace();
    }
    read_coding(head);
}

void attempt::answer_began(int status) {
    last_byte_ = worker_.on.recent();
    answer_.status = status;
    accepted_ = status >= 200 && status < 300;
    if (task_.request.stream) {
        response_arrived();
        arm_idle();
    }
}

/// A body that cannot be read ends the attempt.
void attempt::read_coding(const codec::http1::head& head) {
    const auto coding = codec::read_content_coding(head);
    switch (coding) {
    case codec::content_coding::none: return;
    case codec::content_coding::gzip:
    case codec::content_coding::deflate:
    case codec::content_coding::brotli: coded_ = std::make_shared<coded_body>(coding); return;
    case codec::content_coding::several:
    case codec::content_coding::unknown: break;
    }
    if (!accepted_)
        error_answer_ended(); // the status is known, and says enough
    else if (coding == codec::content_coding::several)
        fail(base::failure_origin::malformed_body, "the answer has several content codings");
    else
        fail(base::failure_origin::malformed_body, "the answer has a content coding other than gzip, deflate and br");
}

void attempt::on_body(std::string_view bytes) {
    const attempt_ptr self(this);
    if (over()) return;
    last_byte_ = worker_.on.recent();
    if (coded_) {
        pauses_before_last_byte_ = pauses_;
        coded_->add(bytes);
        decode();
        return;
    }
    take(bytes);
}

void attempt::take(std::string_view bytes) {
    if (accepted_) {
        on_answer_bytes(bytes);
        return;
    }
    error_body_.append(bytes.substr(0, error_body_bytes - error_body_.size()));
    if (error_body_.size() == error_body_bytes) error_answer_ended();
}

void attempt::on_parts_read() {
    const attempt_ptr self(this);
    if (over()) return;
    if (task_.request.stream) arm_idle();
    if (accepted_) on_answer_parts_read();
}

void attempt::error_answer_ended() {
    base::failure_report report = answer_;
    report.origin = base::failure_origin::upstream_answer;
    codec::read_error_body(error_body_, report);
    if (lacks_operation(report)) report.origin = base::failure_origin::not_carried;
    fail(std::move(report));
}

/// Where nothing but the id is asked about, a missing response reads much like a missing path.
bool attempt::lacks_operation(const base::failure_report& report) const {
    if (!task_.contract.optional) return false;
    const auto words = routing::read_words(report);
    return routing::is_missing_operation(words) && !(task_.stored && routing::is_missing_resource(words));
}

void attempt::decode() {
    for (int i = 0; i < decoded_pieces_per_turn; ++i) {
        if (over() || paused_ || decodes_later_) return;
        const auto piece = coded_->next();
        if (piece.empty()) {
            if (const auto end = coded_->ended()) end_answer(*end);
            return;
        }
        take(piece);
        if (!over() && accepted_) on_answer_parts_read(); // what it led to leaves before there is more
    }
    decode_later();
}

/// On the next turn of the loop. Until then nothing is read, so that what is not decoded yet stays within one read.
void attempt::decode_later() {
    if (over() || paused_ || decodes_later_) return;
    decodes_later_ = true;
    if (call_) call_->pause();
    // The loop outlives what an attempt works with, so that the task must not keep it.
    worker_.on.post([this, alive = std::weak_ptr(coded_)] {
        if (alive.expired()) return;
        const attempt_ptr self(this);
        decodes_later_ = false;
        decode();
        if (!over() && !paused_ && !decodes_later_ && call_) call_->resume();
    });
}

void attempt::end_answer(answer_end end) {
    if (accepted_)
        on_answer_end(end.clean, end.origin);
    else
        error_answer_ended(); // the status is known: what came of the body says the rest
}

/// The connection has told all of the answer.
void attempt::answer_ended(answer_end end) {
    if (coded_) {
        coded_->end(end);
        decode();
    } else {
        end_answer(end);
    }
}

void attempt::on_complete() {
    const attempt_ptr self(this);
    call_ = nullptr;
    if (!over()) answer_ended({});
}

void attempt::on_failure(base::failure_origin origin, std::string_view detail) {
    const attempt_ptr self(this);
    call_ = nullptr;
    if (over()) return;
    if (answer_.status != 0)
        answer_ended({false, origin});
    else
        fail(origin, detail);
}

void attempt::on_socket_answer() { answer_began(200); }

// It has its deadline already.
void attempt::on_no_socket() {
    const attempt_ptr self(this);
    call_ = nullptr;
    if (!over()) post();
}

void attempt::on_socket_closed(std::uint16_t code, std::string_view reason) {
    const attempt_ptr self(this);
    call_ = nullptr;
    if (over()) return;
    if (committed()) {
        answer_ended({false});
        return;
    }
    base::failure_report report;
    report.origin = base::failure_origin::websocket_closed;
    report.status = code;
    report.message = reason;
    fail(std::move(report));
}

attempt_ptr make_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer) {
    if (task.request.stream) return new stream_attempt(worker, task, observer);
    return new json_attempt(worker, task, observer);
}

} // namespace turnout::gateway
