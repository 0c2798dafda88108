#include "gateway/stream_attempt.hpp"

namespace turnout::gateway {
namespace {

// Shells of a response come twice before its output, and escapes may make of a character three times its bytes.
constexpr std::size_t most_echoes = 6;

} // namespace

stream_attempt::stream_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer)
    : attempt(worker, task, observer), tracker_(task.contract.protocol.make_tracker(task.tracking)) {}

// Content types lie in both directions: the first byte that is not blank decides what the body is.
void stream_attempt::on_answer_bytes(std::string_view bytes) {
    if (content_ == content::unknown) {
        const auto first = bytes.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos) return;
        if (bytes[first] == '<') {
            fail(base::failure_origin::malformed_body, "the answer is a page, not a stream");
            return;
        }
        content_ = bytes[first] == '{' || bytes[first] == '[' ? content::json : content::events;
    }
    if (content_ == content::events) {
        on_events(bytes);
        return;
    }
    keep(json_, bytes);
}

void stream_attempt::on_events(std::string_view bytes) {
    decoder_.feed(bytes);
    while (const auto e = decoder_.next())
        if (!on_event(*e)) return;
    if (decoder_.error() != codec::sse::decoder_error::none) {
        if (flush()) fail(base::failure_origin::malformed_body, "an event of the stream is too large");
        return;
    }
    if (!committed_ && output_.size() > worker_.shared.settings.server.stream_hold_bytes && !release_held()) return;
    if (tracker_->complete()) arm_grace();
}

/// More than may be held has come and no output yet: it leaves early where the request explains it, as an upstream that
/// echoes long instructions must not fail for them. False when the attempt is over.
bool stream_attempt::release_held() {
    const auto most = worker_.shared.settings.server.stream_hold_bytes + most_echoes * task_.client_body.size();
    if (output_.size() > most) {
        fail(base::failure_origin::malformed_body, "the stream began with more than streamHoldBytes of metadata");
        return false;
    }
    committed_ = true;
    commit();
    return !over();
}

/// False when the attempt is over.
bool stream_attempt::on_event(const codec::sse::event& e) {
    switch (tracker_->on_event(e, output_)) {
    case codec::frame_class::metadata:
    case codec::frame_class::finished: return true;
    case codec::frame_class::commits:
        if (!committed_) {
            committed_ = true;
            commit();
        }
        return !over();
    case codec::frame_class::end: succeed(); return false;
    case codec::frame_class::error:
        if (flush()) {
            auto report = tracker_->failure();
            if (report.status == 0) report.status = answer_.status;
            fail(std::move(report));
        }
        return false;
    }
    return false;
}

bool stream_attempt::flush() {
    if (committed_ && !output_.empty() && !over()) hand_over();
    return !over();
}

void stream_attempt::on_answer_end(bool clean, base::failure_origin origin) {
    if (content_ == content::json) {
        on_json_end(clean, origin);
        return;
    }
    if (!flush()) return;
    if (const auto last = decoder_.finish(); last && tracker_->is_whole(last->data)) {
        if (!on_event(*last)) return;
        if (!flush()) return;
    }
    if (auto report = tracker_->on_end(clean)) {
        report->status = answer_.status;
        if (origin == base::failure_origin::malformed_http || origin == base::failure_origin::malformed_body)
            report->origin = origin;
        if (origin == base::failure_origin::malformed_body) report->message = why_broken_off(origin);
        fail(std::move(*report));
        return;
    }
    succeed();
}

void stream_attempt::on_json_end(bool clean, base::failure_origin origin) {
    if (!clean) {
        fail(origin, why_broken_off(origin));
        return;
    }
    if (auto report = tracker_->on_answer(json_, output_)) {
        if (report->status == 0) report->status = answer_.status;
        fail(std::move(*report));
        return;
    }
    succeed();
}

void stream_attempt::write_end(std::string_view metadata) { tracker_->close(output_, metadata); }

} // namespace turnout::gateway
