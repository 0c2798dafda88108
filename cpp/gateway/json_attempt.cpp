#include "gateway/json_attempt.hpp"

#include <utility>
#include <variant>

#include "codec/contracts/responses/answer.hpp"
#include "codec/edits.hpp"

namespace turnout::gateway {

json_attempt::json_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer)
    : attempt(worker, task, observer), body_(worker.buffers.take()), ids_(task.tracking.ids) {}

json_attempt::~json_attempt() { worker_.buffers.give(std::move(body_)); }

void json_attempt::on_answer_bytes(std::string_view bytes) { keep(body_, bytes); }

void json_attempt::on_answer_end(bool clean, base::failure_origin origin) {
    if (!clean) {
        fail(origin, why_broken_off(origin));
        return;
    }
    if (task_.stored.deletes() && codec::responses::says_nothing(body_))
        body_ = codec::responses::deletion(task_.request.previous->upstream_text);
    auto verdict = task_.contract.protocol.check_answer(body_, task_.target.public_model);
    if (auto* report = std::get_if<base::failure_report>(&verdict)) {
        if (report->status == 0) report->status = answer_.status;
        fail(std::move(*report));
        return;
    }
    accepted_ = std::get<codec::accepted_answer>(std::move(verdict));
    codec::add_id_edits(body_, accepted_, ids_);
    succeed();
}

void json_attempt::write_end(std::string_view metadata) {
    if (!metadata.empty()) task_.contract.protocol.insert_metadata(body_, accepted_.edits, metadata);
    codec::apply(body_, accepted_.edits, output_, accepted_.begin, accepted_.end);
}

} // namespace turnout::gateway
