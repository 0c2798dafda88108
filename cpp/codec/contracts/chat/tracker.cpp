#include "codec/contracts/chat/tracker.hpp"

#include <utility>

#include "codec/contracts/chat/answer.hpp"
#include "codec/contracts/chat/answer_chunks.hpp"
#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {
namespace {

/// More choices than a request can ask for are relayed but not followed, which bounds the memory of a stream.
constexpr std::size_t most_choices_kept = 256;

} // namespace

tracker::tracker(tracker_options options)
    : options_(std::move(options)),
      envelope_{json::to_json_string("chatcmpl-" + options_.fallback_id), std::to_string(options_.fallback_created),
                json::to_json_string(options_.public_model)},
      repetition_(options_.use_repetition) {}

frame_class tracker::on_event(const sse::event& e, std::string& out) {
    if (failed()) return frame_class::error;
    if (done_) return frame_class::end;
    const std::string_view data = json::trim(e.data);
    if (repetition_.matches(e.name, data)) {
        repetition_.write(out);
        return frame_class::commits;
    }
    repetition_.forget();
    if (e.name == "error") return on_error(data);
    if (data.empty() || e.name == "ping") return frame_class::metadata;
    if (data == end_marker) {
        done_ = true;
        settle(true);
        return frame_class::end;
    }
    if (data.front() == ':') {
        note(anomaly::malformed_keepalive);
        return frame_class::metadata;
    }
    if (!read_frame(data, frame_)) return on_unreadable(data);
    if (frame_.error) return on_error(data);
    if (frame_.ping) return frame_class::metadata;
    return on_chunk(e.name, data, out);
}

frame_class tracker::on_chunk(std::string_view name, std::string_view data, std::string& out) {
    if (const choice_facts* failed = failed_choice()) {
        return fail_unless_finished(
            disguised_failure(base::failure_origin::error_event, failed->finish, failed->error));
    }

    remember_envelope();
    if (frame_.usage) usage_ = frame_.usage;
    patches_.clear();
    const bool was_finished = all_finished();
    bool semantic = false;
    for (const choice_facts& choice : frame_.choices) {
        follow(choice);
        semantic = semantic || choice.output.semantic;
    }
    committed_ = committed_ || semantic;
    const bool unchanged = patches_.empty();
    write_frame(data, out);
    if (unchanged && is_plain_text())
        repetition_.keep(name, {}, data, patches_, {frame_.choices.front().output.text, frame_.obfuscation});
    if (semantic) return frame_class::commits;
    return all_finished() && !was_finished ? frame_class::finished : frame_class::metadata;
}

void tracker::write_frame(std::string_view data, std::string& out) {
    if (!options_.client_wants_usage) {
        if (frame_.choices.empty() && !frame_.usage_value.empty()) return;
        if (!frame_.usage_value.empty()) patches_.push_back({frame_.usage_value, "null"});
        if (!frame_.groq_usage_value.empty()) patches_.push_back({frame_.groq_usage_value, "null"});
    }
    for_each_value(data, "model", frame_.model, [&](std::string_view name) {
        if (name != envelope_.model) patches_.push_back({name, envelope_.model});
    });
    write_event(out, {}, data, patches_);
}

/// Text of one choice and nothing that another frame of it would change again.
bool tracker::is_plain_text() const {
    return frame_.choices.size() == 1 && !frame_.choices.front().output.text.empty()
           && frame_.choices.front().finish == finish_kind::none && frame_.usage_value.empty()
           && frame_.groq_usage_value.empty();
}

/// An upstream that ran out of resources after output gave a shorter answer; before it, none.
const choice_facts* tracker::failed_choice() const {
    for (const choice_facts& choice : frame_.choices) {
        const bool failed = choice.finish == finish_kind::failed;
        if (failed || (choice.finish == finish_kind::exhausted && !committed_)) return &choice;
    }
    return nullptr;
}

void tracker::follow(const choice_facts& choice) {
    choice_state* const state = state_of(choice.index);
    if (state == nullptr) return;
    if (!state->role) give_role(choice, *state);
    state->tool_calls = state->tool_calls || choice.output.tool_calls;
    state->function_call = state->function_call || choice.output.function_call;
    if (choice.finish == finish_kind::none) return;
    if (choice.finish == finish_kind::exhausted) {
        patches_.push_back({choice.finish_value, R"("length")"});
        note(anomaly::missing_finish_reason);
    }
    if (!std::exchange(state->finished, true)) ++finished_;
}

/// Clients want a role on the first delta of a choice, which some upstreams leave out.
void tracker::give_role(const choice_facts& choice, choice_state& state) {
    if (choice.output.has_role) {
        // nothing is missing
    } else if (!choice.output.blank_role.empty()) {
        patches_.push_back({choice.output.blank_role, R"("assistant")"});
    } else if (choice.has_delta) {
        patches_.push_back(
            {choice.delta_start, choice.output.empty ? R"("role":"assistant")" : R"("role":"assistant",)"});
    } else if (choice.finish == finish_kind::none) {
        return; // an annotation without a delta; the role can wait
    } else if (!choice.blank_delta.empty()) {
        patches_.push_back({choice.blank_delta, R"({"role":"assistant"})"});
    } else {
        patches_.push_back({choice.start, R"("delta":{"role":"assistant"},)"});
    }
    state.role = true;
}

tracker::choice_state* tracker::state_of(std::int64_t index) {
    for (choice_state& state : choices_) {
        if (state.index == index) return &state;
    }
    if (choices_.size() == most_choices_kept) return nullptr;
    choice_state& state = choices_.emplace_back();
    state.index = index;
    return &state;
}

void tracker::remember_envelope() {
    if (!frame_.id.empty() && frame_.id != envelope_.id) envelope_.id = frame_.id;
    if (!frame_.created.empty() && frame_.created != envelope_.created) envelope_.created = frame_.created;
}

frame_class tracker::on_error(std::string_view data) {
    return fail_unless_finished(in_band_failure(base::failure_origin::error_event, data));
}

frame_class tracker::on_unreadable(std::string_view data) {
    base::failure_report report = in_band_failure(base::failure_origin::error_event, data);
    if (!report.message.empty()) return fail_unless_finished(std::move(report)); // an array with an error in it
    return fail_unless_finished(malformed_body());
}

/// What goes wrong after every choice has finished cannot take the answer back.
frame_class tracker::fail_unless_finished(base::failure_report report) {
    if (all_finished()) {
        note(anomaly::error_after_finish);
        return frame_class::metadata;
    }
    return fail(std::move(report));
}

bool tracker::is_whole(std::string_view data) const { return json::trim(data) == end_marker || json::is_json(data); }

std::optional<base::failure_report> tracker::on_answer(std::string_view body, std::string& out) {
    const answer_verdict verdict = check_answer(body, envelope_.model);
    if (const auto* report = std::get_if<base::failure_report>(&verdict)) {
        fail(*report);
        return failed();
    }
    note(anomaly::non_stream_answer);
    sse::event e;
    e.has_data = true;
    for (const std::string& chunk : answer_chunks(json::trim(body))) {
        e.data = chunk;
        on_event(e, out);
        if (failed()) return failed();
    }
    done_ = true;
    settle(true);
    return std::nullopt;
}

std::optional<base::failure_report> tracker::on_end(bool clean) {
    if (failed()) return failed();
    // A clean end after fewer choices than asked for means that the upstream ignores `n`.
    const bool enough = complete() || (clean && !choices_.empty() && all_seen_finished());
    if (enough) {
        settle(clean);
        return std::nullopt;
    }
    return truncate();
}

void tracker::settle(bool clean) {
    if (std::exchange(settled_, true)) return;
    if (!done_) note(anomaly::missing_done);
    if (!clean) note(anomaly::unclean_close);
    if (choices_.empty() || !all_seen_finished()) note(anomaly::missing_finish_reason);
    if (!choices_.empty() && choices_.size() < options_.n) note(anomaly::unmet_n);
    if (!committed_) note(anomaly::empty_output);
}

void tracker::close(std::string& out, std::string_view unified_routing) {
    settle(true);
    if (choices_.empty()) choices_.emplace_back();
    for (choice_state& state : choices_) {
        if (!std::exchange(state.role, true)) write_role_chunk(out, envelope_, state.index);
        if (std::exchange(state.finished, true)) continue;
        ++finished_;
        write_finish_chunk(out, envelope_, state.index,
                           state.tool_calls      ? "tool_calls"
                           : state.function_call ? "function_call"
                                                 : "stop");
    }
    if (!unified_routing.empty())
        write_chunk(out, envelope_, "[]", R"(,"unified_routing":)" + std::string(unified_routing));
    out += "data: ";
    out += end_marker;
    out += "\n\n";
}

} // namespace turnout::codec::chat
